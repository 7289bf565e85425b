// In: a finished build. Out: built.json beside it: a hash of all sources, and one of each file that was made of them.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PAGE = import.meta.dirname;
// Sources of the examples, from the root of the repository.
const BORROWED = ["demo", "src/redraft/examples"];
const SKIPPED = new Set(["node_modules", "__pycache__"]);

export function sealed(): Plugin {
  let folder = "";
  return {
    name: "seal",
    apply: "build",
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: () => {
      const files = Object.fromEntries(walk(folder).map((name) => [name, hash(join(folder, name))]));
      writeFileSync(
        join(folder, "built.json"),
        `${JSON.stringify({ sources: sources(), files }, null, 1)}\n`,
      );
    },
  };
}

/** One hash of names and contents, which tests/test_page.py counts again. */
function sources(): string {
  const root = join(PAGE, "..");
  const all = ["web", ...BORROWED].flatMap((top) => walk(join(root, top)).map((name) => `${top}/${name}`));
  const lines = all.sort().map((name) => `${hash(join(root, name))}  ${name}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

function walk(folder: string, below = ""): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name))
    .flatMap((entry) => {
      const name = below ? `${below}/${entry.name}` : entry.name;
      return entry.isDirectory() ? walk(folder, name) : [name];
    })
    .sort();
}

function hash(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
