import type { h } from "preact";
declare const htm: { bind(create: typeof h): (strings: TemplateStringsArray, ...values: unknown[]) => any };
export default htm;
