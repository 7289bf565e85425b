import assert from "node:assert/strict";
import { test } from "node:test";
import { isSame, linesOf, looksLikeAnswer, refusal, replacements, type Change } from "../src/answers";

const CHANGE: Change = {
  path: "a.py",
  operation: "edit",
  to: "",
  status: "applied",
  message: "",
  way_on: "",
  confidence: 0.9,
  before: "a\nb\nc",
  after: "a\nB\nc\nd",
  hunks: [
    { start: 1, end: 2, after_start: 1, after_end: 2, confidence: 0.9 },
    { start: 2, end: 3, after_start: 2, after_end: 4, confidence: 0.9 },
  ],
};

for (const answer of [
  "Here you are:\n\n```python\nx = 1\n```\n",
  "def a():\n    # ... existing code ...\n    return 2\n",
  "// ... rest of the file ...\nlet x = 1;\n",
  "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n",
  "@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
  "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
  "*** Begin Patch\r\n*** Update File: a.py\r\n",
])
  test(`an answer: ${JSON.stringify(answer.slice(0, 30))}`, () => assert.ok(looksLikeAnswer(answer)));

for (const code of [
  "def a():\n    return 1\n",
  "const all = [...rest, ...others];\n",
  "x = 1  # the rest of it\n",
  "const shell = `ls`;\n",
  "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n",
  "",
])
  test(`no answer: ${JSON.stringify(code.slice(0, 30))}`, () => assert.ok(!looksLikeAnswer(code)));

test("the replacements make the new text", () => {
  const lines = linesOf(CHANGE.before);
  for (const each of replacements(CHANGE).reverse())
    lines.splice(each.start, each.end - each.start, each.text);
  assert.equal(lines.join(""), CHANGE.after);
});

test("lines keep what ends them, and make the text again", () => {
  for (const text of ["", "a", "a\n", "a\r\nb", "\n\n"]) assert.equal(linesOf(text).join(""), text);
});

test("one file that is refused refuses all", () => {
  assert.equal(refusal([CHANGE, { ...CHANGE, status: "no_change" }]), undefined);
  const refused = { ...CHANGE, path: "b.py", status: "needs_context", message: "which?" };
  assert.equal(refusal([CHANGE, refused]), "b.py: which?");
  assert.equal(refusal([{ ...refused, way_on: "ask a model" }]), "b.py: which?. To go on: ask a model");
});

test("line endings and the byte-order mark are the editor's", () => {
  assert.ok(isSame("\uFEFFa\r\nb", "a\nb"));
  assert.ok(!isSame("a\nb", "a\nb\n"));
});
