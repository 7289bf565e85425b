// In: the name of a file. Out: how an editor reads its language, loaded when it is needed first.

import {
  LanguageDescription,
  LanguageSupport,
  StreamLanguage,
  type StreamParser,
} from "@codemirror/language";
import type { Extension } from "@codemirror/state";

type Load = () => Promise<LanguageSupport | StreamLanguage<unknown>>;

const javascript = (options: { jsx?: boolean; typescript?: boolean }): Load => {
  return async () => (await import("@codemirror/lang-javascript")).javascript(options);
};

const stream = async (parser: Promise<StreamParser<unknown>>) => StreamLanguage.define(await parser);

const markdown: Load = async () => {
  const { markdown } = await import("@codemirror/lang-markdown");
  return markdown({ codeLanguages: fenced });
};

const LOADS: [RegExp, Load][] = [
  [/\.pyi?$/, async () => (await import("@codemirror/lang-python")).python()],
  [/\.[mc]?jsx?$/, javascript({ jsx: true })],
  [/\.[mc]?ts$/, javascript({ typescript: true })],
  [/\.tsx$/, javascript({ jsx: true, typescript: true })],
  [/\.(html?|vue|svelte|astro)$/, async () => (await import("@codemirror/lang-html")).html()],
  [/\.(css|scss|less)$/, async () => (await import("@codemirror/lang-css")).css()],
  [/\.jsonc?$/, async () => (await import("@codemirror/lang-json")).json()],
  [/\.(md|mdx|markdown)$/, markdown],
  [/\.go$/, async () => (await import("@codemirror/lang-go")).go()],
  [/\.rs$/, async () => (await import("@codemirror/lang-rust")).rust()],
  [/\.java$/, async () => (await import("@codemirror/lang-java")).java()],
  [/\.(c|h|cc|cpp|cxx|hpp|hh)$/, async () => (await import("@codemirror/lang-cpp")).cpp()],
  [/\.cs$/, () => stream(import("@codemirror/legacy-modes/mode/clike").then((all) => all.csharp))],
  [/\.kts?$/, () => stream(import("@codemirror/legacy-modes/mode/clike").then((all) => all.kotlin))],
  [
    /\.rb$|Rakefile$|Gemfile$/,
    () => stream(import("@codemirror/legacy-modes/mode/ruby").then((all) => all.ruby)),
  ],
  [/\.(sh|bash|zsh)$/, () => stream(import("@codemirror/legacy-modes/mode/shell").then((all) => all.shell))],
  [/\.ya?ml$/, () => stream(import("@codemirror/legacy-modes/mode/yaml").then((all) => all.yaml))],
  [/\.toml$/, () => stream(import("@codemirror/legacy-modes/mode/toml").then((all) => all.toml))],
  [/\.swift$/, () => stream(import("@codemirror/legacy-modes/mode/swift").then((all) => all.swift))],
  [/\.sql$/, () => stream(import("@codemirror/legacy-modes/mode/sql").then((all) => all.standardSQL))],
];

/** Nothing for a language that is not known. */
export async function languageOf(path: string): Promise<Extension> {
  const found = LOADS.find(([name]) => name.test(path));
  return found ? await found[1]() : [];
}

// What the first word of a fence is called as a file, where that is not its ending already.
const FENCES: Record<string, string> = {
  python: "py",
  javascript: "js",
  typescript: "ts",
  rust: "rs",
  golang: "go",
  "c++": "cpp",
  csharp: "cs",
  "c#": "cs",
  kotlin: "kt",
  ruby: "rb",
  shell: "sh",
  bash: "sh",
};

// The parser compares descriptions, and loads each one once.
const described = new Map<string, LanguageDescription>();

function fenced(info: string): LanguageDescription | null {
  const word =
    info
      .trim()
      .split(/[\s:{]/)[0]
      ?.toLowerCase() ?? "";
  const name = `.${FENCES[word] ?? word}`;
  const found = LOADS.find(([pattern]) => pattern.test(name));
  if (!found || found[1] === markdown) return null;
  const load = async () => {
    const loaded = await found[1]();
    return loaded instanceof LanguageSupport ? loaded : new LanguageSupport(loaded);
  };
  const description = described.get(name) ?? LanguageDescription.of({ name, load });
  described.set(name, description);
  return description;
}
