// In: clicks. Out: the page as the system has it, light, or dark, in turns.

import { find } from "./dom";

const TURNS = ["auto", "light", "dark"] as const;
const NAMES = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

export function themes(): void {
  const button = find<HTMLButtonElement>("theme");
  let turn = 0;
  const show = () => {
    const theme = TURNS[turn] ?? "auto";
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = NAMES[theme];
  };
  button.addEventListener("click", () => {
    turn = (turn + 1) % TURNS.length;
    show();
  });
  show();
}
