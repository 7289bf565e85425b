// In: changes that the server told. Out: the workspace changed, all files or none, and changed back.

import * as path from "node:path";
import * as vscode from "vscode";
import { isSame, replacements, type Change } from "./answers";

interface Done {
  uri: vscode.Uri;
  to: vscode.Uri | undefined;
  operation: Change["operation"];
  before: string;
  after: string;
}

const applied: Done[][] = [];

/** Replaces lines; each is a hunk of its own in the refactor preview if `review`. */
export function fill(edit: vscode.WorkspaceEdit, uri: vscode.Uri, change: Change, review: boolean): void {
  for (const each of replacements(change)) {
    const label = `${path.basename(uri.path)}, line ${each.start + 1}: ${Math.floor(each.confidence * 100)}% sure`;
    const range = new vscode.Range(each.start, 0, each.end, 0);
    edit.replace(uri, range, each.text, about(label, review));
  }
}

/** Makes the changes, or lets the user choose among them; throws where a file is not what the server was told. */
export async function make(
  changes: Change[],
  place: (path: string) => vscode.Uri,
  review: boolean,
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const planned: Done[] = [];
  for (const change of changes) {
    const uri = place(change.path);
    const to = change.to ? place(change.to) : undefined;
    if (change.operation !== "create")
      await check(uri, change.before, "since the answer was read: apply it again");
    if (change.operation === "create") {
      const contents = Buffer.from(change.after ?? "");
      edit.createFile(uri, { contents }, about(`New file ${change.path}`, review));
    } else if (change.operation === "delete") {
      edit.deleteFile(uri, {}, about(`Delete ${change.path}`, review));
    } else {
      fill(edit, uri, change, review);
    }
    if (to) edit.renameFile(uri, to, {}, about(`Rename ${change.path} to ${change.to}`, review));
    planned.push({ uri, to, operation: change.operation, before: change.before, after: change.after ?? "" });
  }
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: review }))) return false;
  const done: Done[] = [];
  for (const each of planned) {
    const after = await textAt(each.to ?? each.uri);
    if (each.operation !== "edit" || (after !== undefined && !isSame(after, each.before)))
      done.push({ ...each, after: after ?? "" }); // of the hunks some may have been left
  }
  if (done.length > 0) applied.push(done);
  return done.length > 0;
}

/** Takes back what was applied last; throws, and changes nothing, where a file has changed since. */
export async function undo(): Promise<number> {
  const done = applied[applied.length - 1];
  if (!done) throw new Error("there is nothing to undo");
  const edit = new vscode.WorkspaceEdit();
  for (const each of done) {
    const uri = each.to ?? each.uri;
    if (each.operation === "delete") {
      edit.createFile(uri, { contents: Buffer.from(each.before) });
      continue;
    }
    await check(uri, each.after, "since the answer was applied: nothing was undone");
    if (each.operation === "create") edit.deleteFile(uri);
    else edit.replace(uri, new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0), each.before);
    if (each.to) edit.renameFile(each.to, each.uri);
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error("a file has changed just now: nothing was undone");
  applied.pop();
  return done.length;
}

async function check(uri: vscode.Uri, text: string, said: string): Promise<void> {
  const now = await textAt(uri);
  if (now === undefined || !isSame(now, text))
    throw new Error(`${vscode.workspace.asRelativePath(uri)} has changed ${said}`);
}

async function textAt(uri: vscode.Uri): Promise<string | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document.getText(),
    () => undefined,
  );
}

function about(label: string, needsConfirmation: boolean): vscode.WorkspaceEditEntryMetadata | undefined {
  return needsConfirmation ? { label, needsConfirmation, description: "redraft" } : undefined;
}
