// In: the sources of the page. Out: what the package serves, with the licences of what is in it and hashes of both.

import { defineConfig } from "vite";
import { sealed } from "./seal.ts";

export default defineConfig({
  base: "./",
  html: { cspNonce: "NONCE" },
  build: {
    outDir: "../src/redraft/serve/page/static",
    emptyOutDir: true,
    assetsDir: "page",
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
    license: { fileName: "LICENSES.md" },
  },
  plugins: [sealed()],
});
