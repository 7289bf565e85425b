// With a real `redraft`, or the Python that REDRAFT_PYTHON names, and an editor that is a text and a cursor.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { CancellationTokenSource } from "vscode-jsonrpc/node";
import { endOf, offset, type Place, type Span } from "../src/edits";
import { Cancelled, Server } from "../src/server";
import { isInsertionAt, Suggestions, type Shown, type View } from "../src/suggestions";

const PYTHON = process.env["REDRAFT_PYTHON"];
const PROGRAM = PYTHON ? [PYTHON, "-m", "redraft"] : ["redraft"];
const FILE = "def area(width):\n    return width\n\n\nprint(area(3))\n";
const servers: Server[] = [];

class Editor implements View {
  text = FILE;
  at: Place = { line: 1, character: 16 };
  span: Span | undefined;

  state = () => JSON.stringify([this.text, this.at]);
  cursor = () => this.at;
  show = (span: Span) => void (this.span = span);
  hide = () => void (this.span = undefined);
  now = (): Shown => ({ state: this.state(), path: "a.py", text: this.text, cursor: this.at, history: [] });

  go(place: Place): string {
    this.at = place;
    return this.state();
  }

  async replace(span: Span): Promise<void> {
    const { start, end, text } = span;
    this.text = this.text.slice(0, offset(this.text, start)) + text + this.text.slice(offset(this.text, end));
    this.at = endOf(span);
  }
}

function suggesting(said: string, editor: Editor): Suggestions {
  const file = join(mkdtempSync(join(tmpdir(), "redraft-")), "said");
  writeFileSync(file, said);
  const server = new Server(() => [...PROGRAM, "serve", "--stdio", "--engine", `scripted:${file}`]);
  servers.push(server);
  return new Suggestions(server, editor);
}

afterEach(() => servers.splice(0).forEach((each) => each.stop()));

test("text at the cursor is an insertion there, and nothing is written", async () => {
  const editor = new Editor();
  const found = await suggesting(FILE.replace("return width", "return width * 2"), editor).ask(editor.now());
  assert.equal(found?.text, " * 2");
  assert.ok(isInsertionAt(found, editor.at));
  assert.deepEqual([editor.text, editor.span], [FILE, undefined]);
});

test("a change elsewhere is gone to, and then taken", async () => {
  const editor = new Editor();
  const after = FILE.replace("area(3)", "area(width=3)");
  const suggestions = suggesting(after, editor);
  const found = await suggestions.ask(editor.now());
  assert.ok(found && !isInsertionAt(found, editor.at));
  suggestions.offer(found);
  assert.ok(await suggestions.take());
  suggestions.moved(); // the editor tells of its own movement, too
  assert.deepEqual([editor.text, editor.at.line, editor.span], [FILE, 4, found]);
  assert.ok(await suggestions.take());
  assert.deepEqual([editor.text, editor.span], [after, undefined]);
  assert.ok(!(await suggestions.take()));
});

for (const move of [(one: Editor) => (one.text += "x"), (one: Editor) => one.go({ line: 0, character: 0 })])
  test(`typing and movements dismiss it: ${move}`, async () => {
    const editor = new Editor();
    const suggestions = suggesting(FILE.replace("area(3)", "area(4)"), editor);
    suggestions.offer((await suggestions.ask(editor.now()))!);
    suggestions.moved();
    assert.ok(editor.span);
    move(editor);
    const { text } = editor;
    suggestions.moved();
    assert.equal(editor.span, undefined);
    assert.ok(!(await suggestions.take()));
    assert.equal(editor.text, text);
  });

test("an answer for an older text, and the older of two requests, are dropped", async () => {
  const editor = new Editor();
  const suggestions = suggesting(FILE.replace("area(3)", "area(4)"), editor);
  const asked = suggestions.ask(editor.now());
  editor.text = `# mine\n${FILE}`;
  await assert.rejects(asked, Cancelled);
  const older = assert.rejects(suggestions.ask(editor.now()), Cancelled);
  assert.ok(await suggestions.ask(editor.now()));
  await older;
});

test("a request that the editor cancels ends", async () => {
  const editor = new Editor();
  const suggestions = suggesting("x = 1\n".repeat(200_000), editor);
  const source = new CancellationTokenSource();
  const asked = suggestions.ask(editor.now(), source.token);
  source.cancel();
  await assert.rejects(asked, Cancelled);
  await assert.rejects(suggestions.ask(editor.now(), source.token), Cancelled);
});

test("where nothing is to be changed nothing is suggested", async () => {
  const editor = new Editor();
  assert.equal(await suggesting(FILE, editor).ask(editor.now()), undefined);
});
