// In: what is pasted into code. Out: the edit that it means, beside VS Code's own way back to the plain text.

import * as vscode from "vscode";
import { looksLikeAnswer, refusal } from "./answers";
import { fill } from "./changing";
import { Cancelled, type Server } from "./server";

export const KIND = vscode.DocumentDropOrPasteEditKind.Empty.append("redraft", "answer");
const PROSE = ["markdown", "plaintext", "restructuredtext", "latex", "git-commit"]; // fences are at home there
const SHOWN = 8000; // milliseconds

export class AnswerPaste implements vscode.DocumentPasteEditProvider {
  constructor(private readonly server: Server) {}

  /** No model is asked: pasting waits for it. What is refused is pasted as text, and the status bar says why. */
  async provideDocumentPasteEdits(
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    data: vscode.DataTransfer,
    context: vscode.DocumentPasteEditContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentPasteEdit[] | undefined> {
    const wanted = vscode.workspace.getConfiguration("redraft").get<string>("paste");
    const answer = await data.get("text/plain")?.asString();
    const isMeant = answer && looksLikeAnswer(answer) && !PROSE.includes(document.languageId);
    if (wanted === "off" || !isMeant || ranges.some((range) => !range.isEmpty)) return;
    const version = document.version;
    try {
      const asked = { answer, path: document.uri.fsPath, text: document.getText(), model: false };
      const [change] = await this.server.apply(asked, token);
      const reason = change ? refusal([change]) : "nothing to do";
      if (!change || reason || document.version !== version || change.hunks.length === 0) {
        vscode.window.setStatusBarMessage(
          `redraft: pasted as text: ${reason ?? "the file has it already"}`,
          SHOWN,
        );
        return;
      }
      const paste = new vscode.DocumentPasteEdit("", "Apply answer with redraft", KIND);
      paste.additionalEdit = new vscode.WorkspaceEdit();
      fill(paste.additionalEdit, document.uri, change, false);
      if (wanted === "offer") paste.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
      return [paste];
    } catch (error) {
      if (!(error instanceof Cancelled))
        vscode.window.setStatusBarMessage(`redraft: pasted as text: ${(error as Error).message}`, SHOWN);
      return;
    }
  }
}
