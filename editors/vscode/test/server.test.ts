// With a real `redraft`, or the Python that REDRAFT_PYTHON names.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { CancellationTokenSource } from "vscode-jsonrpc/node";
import { refusal } from "../src/answers";
import { Cancelled, Server } from "../src/server";

const PYTHON = process.env["REDRAFT_PYTHON"];
const PROGRAM = PYTHON ? [PYTHON, "-m", "redraft"] : ["redraft"];
const FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
const ASKED = { path: "a.py", text: FILE, answer: "```python\ndef b():\n    return 3\n```\n" };
const servers: Server[] = [];

function server(...words: string[]): Server {
  servers.push(new Server(() => [...PROGRAM, "serve", "--stdio", ...words]));
  return servers[servers.length - 1]!;
}

function scripted(text: string): Server {
  const said = join(mkdtempSync(join(tmpdir(), "redraft-")), "said");
  writeFileSync(said, text);
  return server("--engine", `scripted:${said}`);
}

afterEach(() => servers.splice(0).forEach((each) => each.stop()));

test("an answer becomes the new file", async () => {
  const [change] = await server("--readers", "merge").apply(ASKED);
  assert.equal(change?.after, FILE.replace("2", "3"));
  assert.equal(change?.hunks.length, 1);
});

test("an answer for another file is refused with a reason", async () => {
  const answer = "In `other.py`:\n\n```python\ndef z():\n    return 3\n```\n";
  assert.ok(refusal(await server("--readers", "merge").apply({ ...ASKED, answer })));
});

test("a program that is not there is called that", async () => {
  const missing = new Server(() => ["no-such-redraft", "serve", "--stdio"]);
  await assert.rejects(missing.apply(ASKED), /there is no program no-such-redraft.*pip install redraft/);
});

test("a program that refuses its arguments is quoted", async () => {
  await assert.rejects(
    server("--engine", "nonsense").apply(ASKED),
    /redraft has stopped: redraft: unknown engine/,
  );
});

test("a server that dies says so, and the next request starts another", async () => {
  const one = scripted("    return 3\n".repeat(200_000));
  const lines = { path: "a.py", text: FILE, first: 6, last: 6, instruction: "more" };
  const asked = one.edit(lines);
  one.stop();
  await assert.rejects(asked, /redraft has stopped/);
  assert.equal((await one.apply(ASKED))[0]?.status, "applied");
});

test("selected lines come as they are written, and the rest stays", async () => {
  const news: string[] = [];
  const lines = { path: "a.py", text: FILE, first: 6, last: 6, instruction: "return 3" };
  const change = await scripted("    return 3\n").edit(lines, undefined, ({ text }) => news.push(text ?? ""));
  assert.equal(news.join(""), "    return 3\n");
  assert.equal(change.after, FILE.replace("2", "3"));
});

test("what is cancelled ends", async () => {
  const source = new CancellationTokenSource();
  const lines = { path: "a.py", text: FILE, first: 6, last: 6, instruction: "more" };
  const asked = scripted("    return 3\n".repeat(200_000)).edit(lines, source.token);
  source.cancel();
  await assert.rejects(asked, Cancelled);
});
