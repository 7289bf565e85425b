// In: pasted text, and changes as the server tells them. Out: whether it is an answer, and the lines to replace.

export interface Hunk {
  start: number;
  end: number;
  after_start: number;
  after_end: number;
  confidence: number;
}

export interface Change {
  path: string;
  operation: "edit" | "create" | "delete" | "rename";
  to: string;
  status: string;
  message: string;
  /** How a model could decide a refused edit; empty where none could. */
  way_on: string;
  confidence: number | null;
  before: string;
  after: string | null;
  hunks: Hunk[];
}

/** Lines `start` to `end` of a file, counted from 0, the end not included, become `text`. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
  confidence: number;
}

const SIGNS = [
  /^ {0,3}(`{3,}|~{3,})/m, // a fence
  /^\s*(#|\/\/|--|;|%|\/\*|\{\/\*|<!--|"|')?\s*(\.\.\.|…).*\b(existing|rest|unchanged|remaining|same|other)\b/im, // a marker
  /^@@ .*@@|^--- .+\n\+\+\+ /m, // a diff
  /^<{5,9} ?(SEARCH|ORIGINAL)|^\*\*\* Begin Patch/m, // edits of agents
];

/** Whether a text is likely an answer of a chat model, and not code to be pasted as it stands. */
export function looksLikeAnswer(text: string): boolean {
  return SIGNS.some((sign) => sign.test(text.replace(/\r\n/g, "\n")));
}

/** Lines with what ends them. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

export function replacements(change: Change): Replacement[] {
  const after = linesOf(change.after ?? "");
  return change.hunks.map((hunk) => ({
    start: hunk.start,
    end: hunk.end,
    text: after.slice(hunk.after_start, hunk.after_end).join(""),
    confidence: hunk.confidence,
  }));
}

/** Why an answer is not applied: of several files all are written, or none. */
export function refusal(changes: Change[]): string | undefined {
  const refused = changes.find((change) => !["applied", "no_change"].includes(change.status));
  if (!refused) return undefined;
  const said = `${refused.path.split(/[\\/]/).pop()}: ${refused.message || refused.status}`;
  return refused.way_on ? `${said}. To go on: ${refused.way_on}` : said;
}

/** Texts are the same for an editor, which has one kind of line ending a file and hides the byte-order mark. */
export function isSame(one: string, other: string): boolean {
  const bare = (text: string) => text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n");
  return bare(one) === bare(other);
}
