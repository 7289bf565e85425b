import { describe, expect, it } from "vitest";
import { changesOf, linesOf, merged, region } from "../src/hunks";

const before = "a\r\nb\nc\nd";
const after = "a\r\nB\nc\nd\ne\n";
const hunks = [
  { start: 1, end: 2, after_start: 1, after_end: 2, confidence: 0.9 },
  { start: 3, end: 4, after_start: 3, after_end: 5, confidence: 0.5 },
];

describe("hunks", () => {
  it("are all or nothing", () => {
    expect(merged(before, after, hunks, new Set([0, 1]))).toBe(after);
    expect(merged(before, after, hunks, new Set())).toBe(before);
  });

  it("are taken one by one", () => {
    expect(merged(before, after, hunks, new Set([0]))).toBe("a\r\nB\nc\nd");
    expect(merged(before, after, hunks, new Set([1]))).toBe("a\r\nb\nc\nd\ne\n");
  });

  it("hold all changes", () => {
    const made = changesOf(before, after, hunks).reduceRight(
      (text, change) =>
        text.slice(0, change.fromA) + after.slice(change.fromB, change.toB) + text.slice(change.toA),
      before,
    );
    expect(made).toBe(after);
  });

  it("of an instructed edit are the lines that were selected", () => {
    const [hunk] = region("a\nb\nc\n", "a\nB\nB\nc\n", 2, 2);
    expect(hunk).toMatchObject({ start: 1, end: 2, after_start: 1, after_end: 3 });
    expect(region("a\n", "a\n", 1, 1)).toEqual([]);
    expect(region("a\n", null, 1, 1)).toEqual([]);
  });

  it("count lines as the server does", () => {
    expect(linesOf("")).toEqual([]);
    expect(linesOf("a\rb\r\n\nc")).toEqual(["a\rb\r\n", "\n", "c"]);
  });
});
