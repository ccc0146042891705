// Copies the libraries that the page uses from node_modules to src/vendor, with their licences.
import { readFileSync, writeFileSync } from "node:fs";

const here = new URL("./", import.meta.url);

/** The files of src/vendor by name, as they are made of node_modules. */
export function vendored() {
  const read = (path) => readFileSync(new URL(`node_modules/${path}`, here), "utf8").replace(/\n?\/\/# sourceMappingURL.*\n?/, "\n");
  return {
    "preact.mjs": read("preact/dist/preact.mjs"),
    "hooks.mjs": read("preact/hooks/dist/hooks.mjs").replaceAll('from"preact"', 'from"./preact.mjs"'),
    "htm.mjs": read("htm/dist/htm.module.js"),
    "LICENSES.txt": `preact (preact.mjs, hooks.mjs)\n\n${read("preact/LICENSE")}\n\nhtm (htm.mjs)\n\n${read("htm/LICENSE")}`,
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  for (const [name, text] of Object.entries(vendored())) writeFileSync(new URL(`src/vendor/${name}`, here), text);
