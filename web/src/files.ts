// In: files that are dropped or chosen. Out: their text, or why they cannot be edited.

import { find } from "./dom";

// What the server takes at most; a file and an answer have to fit into it together.
const MOST = 4 * 1024 * 1024;

export class UnreadableError extends Error {}

export async function read(file: File): Promise<string> {
  if (file.size > MOST) throw new UnreadableError(`${file.name} is larger than ${MOST / 1024 / 1024} MB`);
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new UnreadableError(`${file.name} is not text in UTF-8`);
}

/** Files come by dropping them on the pane, or by its button. */
export function takesFiles(name: "file" | "answer", take: (file: File) => Promise<void>): void {
  const [pane, input] = [find(`${name}-pane`), find<HTMLInputElement>(`${name}-input`)];
  find(`open-${name}`).addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) void take(file);
    input.value = "";
  });
  pane.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    pane.classList.add("over");
  });
  pane.addEventListener("dragleave", (event) => {
    if (!pane.contains(event.relatedTarget as Node | null)) pane.classList.remove("over");
  });
  // Before the editor sees it, which would paste the file's text at the pointer.
  pane.addEventListener(
    "drop",
    (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      pane.classList.remove("over");
      if (!file) return;
      event.preventDefault();
      event.stopPropagation();
      void take(file);
    },
    true,
  );
}

export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name.split(/[\\/]/).at(-1) || "result.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
