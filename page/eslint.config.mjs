import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["src/vendor/", "node_modules/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.mjs"],
    languageOptions: { globals: { ...globals.browser } },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "max-lines-per-function": ["error", 80] },
  },
  { files: ["*.mjs", "test/**/*.mjs"], languageOptions: { globals: { ...globals.node } } },
  { files: ["test/firefox.mjs"], languageOptions: { globals: { ...globals.browser } } },
];
