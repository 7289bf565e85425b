import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, made, offset, span, type Span } from "../src/edits";
import { Past } from "../src/past";

const TEXTS = [
  "",
  "\n",
  "a",
  "a\n",
  "a\nb\n",
  "a\nab\nb",
  "x 😀\n",
  "x 😁\n",
  "a(b)\n",
  "a(b, c)\nd\n",
  "aa\naa\naa\n",
];

function done(text: string, { start, end, text: come }: Span): string {
  return text.slice(0, offset(text, start)) + come + text.slice(offset(text, end));
}

test("a span makes the new text, and cuts no character in two", () => {
  for (const before of TEXTS)
    for (const after of TEXTS)
      for (let line = 0; line < before.split("\n").length; line++) {
        const found = span(before, after, { line, character: 0 });
        assert.equal(found === undefined, before === after);
        if (!found) continue;
        assert.equal(done(before, found), after);
        assert.equal(Buffer.from(found.text).toString(), found.text);
      }
});

test("text that comes at the cursor comes there, wherever else it could", () => {
  const cursor = { line: 1, character: 1 };
  assert.deepEqual(span("aa\naa\n", "aa\naaa\n", cursor), { start: cursor, end: cursor, text: "a" });
  assert.deepEqual(endOf({ start: cursor, end: cursor, text: "a" }), { line: 1, character: 2 });
  assert.deepEqual(endOf({ start: cursor, end: cursor, text: "a\nbcd" }), { line: 2, character: 3 });
});

test("an edit of lines is made as the server means it", () => {
  assert.equal(made("a\nb\nc", { first: 2, last: 2, text: "B\n" }), "a\nB\nc");
  assert.equal(made("a\nb\n", { first: 2, last: 1, text: "new\n" }), "a\nnew\nb\n");
  assert.equal(made("a\nb\n", { first: 1, last: 1, text: "" }), "b\n");
  assert.equal(made("a\n", { first: 2, last: 1, text: "\nb\n" }), "a\n\nb\n");
});

test("typing in one place is one change, in another it is the next, and the last ones are kept", () => {
  const lines = Array.from({ length: 99 }, (_, number) => `line ${number}`);
  const past = new Past(lines.join("\n"));
  const type = (line: number, text: string) => past.changed(((lines[line] = text), lines.join("\n")), line);
  assert.deepEqual(past.changes("a.py"), []);
  type(10, "t");
  type(10, "two");
  assert.deepEqual(past.changes("a.py"), [
    {
      path: "a.py",
      before: "line 8\nline 9\nline 10\nline 11\nline 12\n",
      after: "line 8\nline 9\ntwo\nline 11\nline 12\n",
    },
  ]);
  for (const line of [30, 50, 70, 90, 20, 40, 60]) type(line, "new");
  const told = past.changes("a.py").map(({ before }) => before.split("\n")[2]);
  assert.deepEqual(told, ["line 50", "line 70", "line 90", "line 20", "line 40", "line 60"]);
});

test("what is typed and taken back is no change", () => {
  const past = new Past("a\nb\n");
  past.changed("a\nbc\n", 1);
  past.changed("a\nb\n", 1);
  assert.deepEqual(past.changes("a.py"), []);
});
