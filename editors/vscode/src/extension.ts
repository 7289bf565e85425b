// In: commands and pastes of the user. Out: answers and instructions turned into edits, by one server for the window.

import * as path from "node:path";
import * as vscode from "vscode";
import { linesOf, refusal, type Change } from "./answers";
import { make, undo } from "./changing";
import { NextEdits } from "./next";
import { AnswerPaste, KIND } from "./paste";
import { Proposals } from "./proposal";
import { Cancelled, Server } from "./server";

const CODE = [{ scheme: "file" }, { scheme: "untitled" }]; // by name, so that they come before pasting as text

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const status = vscode.window.createStatusBarItem("redraft", vscode.StatusBarAlignment.Right);
  status.name = status.text = "redraft";
  status.command = "redraft.applyClipboard";
  status.tooltip = "Apply the answer from the clipboard";
  status.show();
  const running = new Server(command, (state) => {
    status.text = state === "ready" ? "$(check) redraft" : "redraft";
  });
  server = running;
  const proposals = new Proposals();
  const next = new NextEdits(running);
  const commands = {
    applyClipboard: () => applyClipboard(running),
    editSelection: () => editSelection(running, proposals),
    next: () => next.ask(),
    takeNext: () => next.take(),
    leaveNext: () => next.leave(),
    undo: async () => {
      const count = await undo();
      vscode.window.setStatusBarMessage(
        `redraft: ${count === 1 ? "1 file is" : `${count} files are`} back`,
        5000,
      );
    },
  };
  for (const [name, run] of Object.entries(commands))
    context.subscriptions.push(vscode.commands.registerCommand(`redraft.${name}`, () => told(run)));
  context.subscriptions.push(
    status,
    proposals.register(),
    next.register(),
    vscode.languages.registerDocumentPasteEditProvider(CODE, new AnswerPaste(running), {
      pasteMimeTypes: ["text/plain"],
      providedPasteEditKinds: [KIND],
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (["path", "engine", "readers"].some((name) => event.affectsConfiguration(`redraft.${name}`)))
        running.stop();
      next.retry();
    }),
  );
}

export function deactivate(): void {
  server?.stop();
}

function command(): string[] {
  const set = (name: string) => vscode.workspace.getConfiguration("redraft").get<string>(name) ?? "";
  return [set("path"), "serve", "--stdio", "--engine", set("engine"), "--readers", set("readers")];
}

/** What goes wrong is a message. */
async function told(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Cancelled))
      void vscode.window.showWarningMessage(`redraft: ${(error as Error).message}`);
  }
}

async function applyClipboard(server: Server): Promise<void> {
  const answer = await vscode.env.clipboard.readText();
  if (!answer.trim()) throw new Error("the clipboard is empty: copy the answer first");
  const document = vscode.window.activeTextEditor?.document;
  const folder =
    (document && vscode.workspace.getWorkspaceFolder(document.uri)) ?? vscode.workspace.workspaceFolders?.[0];
  const open = vscode.workspace.textDocuments.filter((each) => each.uri.scheme === "file");
  const asked = {
    answer,
    path: document?.uri.fsPath,
    text: document?.getText(),
    root: folder?.uri.fsPath,
    opened: Object.fromEntries(open.map((each) => [each.uri.fsPath, each.getText()])),
  };
  const changes = await waiting("reading the answer", (token, say) =>
    server.apply(asked, token, (news) => news.message && say(news.message)),
  );
  const reason = refusal(changes);
  if (reason) throw new Error(reason);
  const real = changes.filter((change) => change.operation !== "edit" || change.hunks.length > 0);
  if (real.length === 0) throw new Error("nothing to do: the files have all that the answer shows");
  const place = (name: string) => {
    if (document && name === document.uri.fsPath) return document.uri;
    return path.isAbsolute(name) || !folder ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder.uri, name);
  };
  const review = vscode.workspace.getConfiguration("redraft").get<boolean>("review") ?? true;
  const isDone = await make(real, place, review);
  vscode.window.setStatusBarMessage(isDone ? "redraft: applied" : "redraft: nothing was applied", 5000);
}

async function editSelection(server: Server, proposals: Proposals): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error("there is no editor: open a file and select lines");
  const { document, selection } = editor;
  const instruction = await vscode.window.showInputBox({
    title: "redraft",
    prompt: "What to do with these lines",
  });
  if (!instruction?.trim()) return;
  const first = selection.start.line;
  const last = Math.max(first, selection.end.line - (selection.end.character === 0 ? 1 : 0));
  const text = document.getText();
  const lines = linesOf(text);
  const uri = await proposals.open(document);
  try {
    const asked = { path: document.uri.fsPath, text, first: first + 1, last: last + 1, instruction };
    let written = "";
    const change = await waiting("asking the model", (token) =>
      server.edit(asked, token, (news) => {
        written += news.text ?? "";
        proposals.show(uri, [...lines.slice(0, first), written, ...lines.slice(last + 1)].join(""));
      }),
    );
    await accepted(document, change, uri, proposals);
  } finally {
    await proposals.close(uri);
  }
}

/** Asks whether the proposal is to be taken, and takes it. */
async function accepted(
  document: vscode.TextDocument,
  change: Change,
  uri: vscode.Uri,
  proposals: Proposals,
): Promise<void> {
  const reason = refusal([change]);
  if (reason) throw new Error(reason);
  if (change.hunks.length === 0) throw new Error("the model left the lines as they are");
  proposals.show(uri, change.after ?? "");
  const choice = await vscode.window.showInformationMessage(
    "redraft: take the new lines?",
    "Accept",
    "Discard",
  );
  if (choice === "Accept") await make([change], () => document.uri, false);
}

function waiting<T>(
  title: string,
  run: (token: vscode.CancellationToken, say: (message: string) => void) => Promise<T>,
): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: `redraft: ${title}`,
    cancellable: true,
  };
  return Promise.resolve(
    vscode.window.withProgress(options, (progress, token) =>
      run(token, (message) => progress.report({ message })),
    ),
  );
}
