// In: a text, and the next edit as the server tells it. Out: the characters that change, and where they stand.

/** Lines `first` to `last`, counted from 1, become `text`; an insertion has `last` before `first`. */
export interface NextEdit {
  first: number;
  last: number;
  text: string;
}

/** A place in a text, counted from 0 as editors count. */
export interface Place {
  line: number;
  character: number;
}

/** What stands from `start` to `end` becomes `text`. */
export interface Span {
  start: Place;
  end: Place;
  text: string;
}

/** The text with the edit made. */
export function made(text: string, { first, last, text: lines }: NextEdit): string {
  const before = text.split("\n");
  const come = lines.split("\n").slice(0, -1);
  return [...before.slice(0, first - 1), ...come, ...before.slice(last)].join("\n");
}

/** The least that changes, an insertion at the cursor where it can be one; undefined where nothing does. */
export function span(before: string, after: string, cursor: Place): Span | undefined {
  if (before === after) return undefined;
  const at = offset(before, cursor);
  const behind = before.length - at;
  const isInsertion =
    after.length > before.length && after.startsWith(before.slice(0, at)) && after.endsWith(before.slice(at));
  const [start, kept] = isInsertion ? [at, behind] : same(before, after);
  const text = after.slice(start, after.length - kept);
  return { start: place(before, start), end: place(before, before.length - kept), text };
}

/** How many characters of two texts are the same in front and behind; none is cut in two. */
function same(one: string, other: string): [number, number] {
  const least = Math.min(one.length, other.length);
  let front = 0;
  while (front < least && one[front] === other[front]) front++;
  if (/[\uD800-\uDBFF]/.test(one[front - 1] ?? "")) front--;
  let behind = 0;
  while (behind < least - front && one[one.length - 1 - behind] === other[other.length - 1 - behind])
    behind++;
  if (/[\uDC00-\uDFFF]/.test(one[one.length - behind] ?? "")) behind--;
  return [front, behind];
}

export function offset(text: string, { line, character }: Place): number {
  const before = text.split("\n").slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, character);
}

function place(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length - 1, character: lines[lines.length - 1]!.length };
}

/** Where a span ends once it is made. */
export function endOf({ start, text }: Span): Place {
  const lines = text.split("\n");
  const last = lines[lines.length - 1]!.length;
  return {
    line: start.line + lines.length - 1,
    character: lines.length === 1 ? start.character + last : last,
  };
}
