// In: a new text as it comes. Out: it beside the file, in a diff editor; the file stays as it is.

import * as path from "node:path";
import * as vscode from "vscode";

const SCHEME = "redraft";

export class Proposals implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private last = 0;

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Opens the diff editor. */
  async open(document: vscode.TextDocument): Promise<vscode.Uri> {
    const uri = document.uri.with({ scheme: SCHEME, query: String(++this.last), authority: "" });
    this.show(uri, document.getText());
    const title = `${path.basename(document.uri.path)}: redraft`;
    await vscode.commands.executeCommand("vscode.diff", document.uri, uri, title);
    return uri;
  }

  show(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
  }

  async close(uri: vscode.Uri): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString(),
    );
    await vscode.window.tabGroups.close(own);
    this.texts.delete(uri.toString());
  }
}
