// In: pauses in typing, and commands. Out: the next edit as ghost text at the cursor, or marked where it is elsewhere.

import * as vscode from "vscode";
import { endOf, type Place, type Span } from "./edits";
import { Past } from "./past";
import { Cancelled, type Server } from "./server";
import { isInsertionAt, Suggestions, type Shown, type View } from "./suggestions";

const FILES = [{ scheme: "file" }, { scheme: "untitled" }];
const PAUSE = 300; // milliseconds
const SHOWN = 5000; // milliseconds
const LONGEST = 80; // characters that stand behind a line
const KEY = "redraft.suggested"; // for the keys that take it and leave it

export class NextEdits implements vscode.InlineCompletionItemProvider {
  private readonly pasts = new Map<vscode.TextDocument, Past>();
  private readonly suggestions: Suggestions;
  private ready: { state: string; text: string } | undefined; // what a command has asked for
  private failed = false; // what failed is not asked again by itself

  constructor(server: Server) {
    this.suggestions = new Suggestions(server, new EditorView());
  }

  register(): vscode.Disposable {
    vscode.workspace.textDocuments.forEach((document) => this.opened(document));
    return vscode.Disposable.from(
      vscode.languages.registerInlineCompletionItemProvider(FILES, this),
      vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.pasts.delete(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.window.onDidChangeTextEditorSelection(() => this.suggestions.moved()),
      vscode.window.onDidChangeActiveTextEditor(() => this.suggestions.dismiss()),
    );
  }

  /** What a command has asked for; after a pause in typing what comes next, where that is wanted. */
  async provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    context: vscode.InlineCompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineCompletionItem[]> {
    const state = stateOf(document, position);
    if (this.ready?.state === state) return [ghost(this.ready.text, position)];
    const isTyping = context.triggerKind === vscode.InlineCompletionTriggerKind.Automatic;
    const isWanted = vscode.workspace.getConfiguration("redraft").get<boolean>("suggest");
    if (!isWanted || (isTyping && this.failed)) return [];
    await new Promise((resolve) => setTimeout(resolve, isTyping ? PAUSE : 0));
    if (token.isCancellationRequested || this.suggestions.isShown()) return [];
    try {
      const found = await this.suggestions.ask(this.shown(document, position), token);
      if (found && isInsertionAt(found, position)) return [ghost(found.text, position)];
      if (found) this.suggestions.offer(found);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.fail(error as Error);
    }
    return [];
  }

  /** Asks by hand; throws what the user is to be told. */
  async ask(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) throw new Error("there is no editor: open a file");
    const position = editor.selection.active;
    const now = this.shown(editor.document, position);
    const found = await this.suggestions.ask(now);
    this.failed = false;
    if (!found) {
      vscode.window.setStatusBarMessage("redraft: no next edit here", SHOWN);
    } else if (isInsertionAt(found, position)) {
      this.ready = { state: now.state, text: found.text };
      await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
    } else {
      this.suggestions.offer(found);
    }
  }

  /** Takes what is shown, or goes there; without it the key is what it was. */
  async take(): Promise<void> {
    if (!(await this.suggestions.take())) await vscode.commands.executeCommand("tab");
  }

  async leave(): Promise<void> {
    this.suggestions.dismiss();
  }

  /** Asks by itself again, after the settings have changed. */
  retry(): void {
    this.failed = false;
  }

  private fail(error: Error): void {
    this.failed = true;
    vscode.window.setStatusBarMessage(`redraft: no suggestions: ${error.message}`, SHOWN);
  }

  private shown(document: vscode.TextDocument, position: vscode.Position): Shown {
    const path = vscode.workspace.asRelativePath(document.uri, false);
    const history = this.pasts.get(document)?.changes(path) ?? [];
    return { state: stateOf(document, position), path, text: textOf(document), cursor: position, history };
  }

  private opened(document: vscode.TextDocument): void {
    if (vscode.languages.match(FILES, document)) this.pasts.set(document, new Past(textOf(document)));
  }

  private changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const last = contentChanges[contentChanges.length - 1];
    if (!last) return;
    this.pasts.get(document)?.changed(textOf(document), last.range.start.line);
    this.suggestions.moved();
  }
}

/** The text editor that has the focus. */
class EditorView implements View {
  private readonly gone = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("diffEditor.removedTextBackground"),
  });
  private readonly come = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor("editorGhostText.foreground"), margin: "0 0 0 1em" },
  });
  private editor: vscode.TextEditor | undefined; // where it is shown

  state(): string {
    const editor = vscode.window.activeTextEditor;
    return editor ? stateOf(editor.document, editor.selection.active) : "";
  }

  cursor(): Place {
    return vscode.window.activeTextEditor!.selection.active;
  }

  show(span: Span): void {
    const editor = (this.editor = vscode.window.activeTextEditor!);
    const range = rangeOf(span);
    const [first = ""] = span.text.trim().split("\n");
    const isAll = first.length <= LONGEST && span.text.trim() === first;
    const contentText = `${first.slice(0, LONGEST)}${isAll ? "" : " …"}`;
    const hoverMessage = new vscode.MarkdownString().appendCodeblock(span.text, editor.document.languageId);
    const line = editor.document.lineAt(range.end.line).range.end;
    const behind = { range: new vscode.Range(line, line), renderOptions: { after: { contentText } } };
    editor.setDecorations(this.gone, [{ range, hoverMessage }]);
    editor.setDecorations(this.come, contentText ? [behind] : []);
    void vscode.commands.executeCommand("setContext", KEY, true);
    vscode.window.setStatusBarMessage(`redraft: Tab for the next edit, line ${range.start.line + 1}`, SHOWN);
  }

  hide(): void {
    this.editor?.setDecorations(this.gone, []);
    this.editor?.setDecorations(this.come, []);
    this.editor = undefined;
    void vscode.commands.executeCommand("setContext", KEY, false);
  }

  go({ line, character }: Place): string {
    const editor = vscode.window.activeTextEditor!;
    const position = new vscode.Position(line, character);
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return stateOf(editor.document, position);
  }

  async replace(span: Span): Promise<void> {
    const editor = vscode.window.activeTextEditor!;
    if (!(await editor.edit((edit) => edit.replace(rangeOf(span), span.text)))) return;
    const { line, character } = endOf(span);
    editor.selection = new vscode.Selection(line, character, line, character);
  }
}

function stateOf(document: vscode.TextDocument, { line, character }: Place): string {
  return `${document.uri}#${document.version}:${line}:${character}`;
}

function textOf(document: vscode.TextDocument): string {
  return document.getText().replace(/\r\n/g, "\n");
}

function rangeOf({ start, end }: Span): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function ghost(text: string, position: vscode.Position): vscode.InlineCompletionItem {
  return new vscode.InlineCompletionItem(text, new vscode.Range(position, position));
}
