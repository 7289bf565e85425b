// In: the page. Out: the page, at work.

import "./style/colours.css";
import "./style/page.css";
import "./style/race.css";
import "./style/diff.css";
import "./style/narrow.css";
import { Editing } from "./editing";
import { themes } from "./theme";

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
for (const key of document.querySelectorAll("kbd.mod")) key.textContent = isMac ? "⌘" : "Ctrl";

themes();
new Editing();
