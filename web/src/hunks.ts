// In: a file, its new version, and the hunks between them. Out: the file with the hunks that were taken.

import { Change, presentableDiff } from "@codemirror/merge";
import type { Hunk } from "./wire";

/** Lines with what ends them; only a newline does. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The file with the hunks at the numbers in `taken`. */
export function merged(
  before: string,
  after: string,
  hunks: readonly Hunk[],
  taken: ReadonlySet<number>,
): string {
  if (taken.size === hunks.length) return after;
  const [old, now] = [linesOf(before), linesOf(after)];
  const text: string[] = [];
  let at = 0;
  hunks.forEach((hunk, number) => {
    text.push(...old.slice(at, hunk.start));
    const chosen = taken.has(number)
      ? now.slice(hunk.after_start, hunk.after_end)
      : old.slice(hunk.start, hunk.end);
    text.push(...chosen);
    at = hunk.end;
  });
  return [...text, ...old.slice(at)].join("");
}

/** The one hunk of an instructed edit of lines `first` to `last`, counted from 1: nothing else changes. */
export function region(before: string, after: string | null, first: number, last: number): Hunk[] {
  if (after === null || after === before) return [];
  const longer = linesOf(after).length - linesOf(before).length;
  const [start, end] = [first - 1, Math.min(last, linesOf(before).length)];
  return [{ start, end, after_start: start, after_end: end + longer, confidence: null }];
}

/** Differences within the hunks alone, in characters: what lies between them is known to be equal. */
export function changesOf(before: string, after: string, hunks: readonly Hunk[]): Change[] {
  const [old, now] = [offsets(before), offsets(after)];
  return hunks.flatMap((hunk) => {
    const [fromA, toA] = [place(old, hunk.start), place(old, hunk.end)];
    const [fromB, toB] = [place(now, hunk.after_start), place(now, hunk.after_end)];
    const inner = presentableDiff(before.slice(fromA, toA), after.slice(fromB, toB), {
      scanLimit: 500,
      timeout: 50,
    });
    return inner.map((each) => shifted(each, fromA, fromB));
  });
}

function shifted(change: Change, a: number, b: number): Change {
  return new Change(change.fromA + a, change.toA + a, change.fromB + b, change.toB + b);
}

/** Where each line begins, and the end of the text. */
function offsets(text: string): number[] {
  const found = [0];
  for (const line of linesOf(text)) found.push((found.at(-1) ?? 0) + line.length);
  return found;
}

function place(starts: readonly number[], line: number): number {
  return starts[Math.min(line, starts.length - 1)] ?? 0;
}
