"use strict";
// Texts come from anyone: they only ever become text nodes.
const data = JSON.parse(document.getElementById("data").textContent);
const FILTERS = { kind: "kind", system: "system", status: "status", language: "language", style: "style", bucket: "size class" };
const COLUMNS = { kind: "kind", id: "case", system: "system", status: "status", language: "language", style: "style", bucket: "lines" };
const CONTEXT = 3;

function make(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/** A text with what is invisible, or turns the order of letters, spelled out. */
function visible(text) {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (sign) => String.fromCharCode(0x2400 + sign.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu,
      (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

/** Its lines with their newlines, as Python has cut them. */
function linesOf(text) {
  return text.match(/[^\n]*\n|[^\n]+/g) || [];
}

/** The lines that changes make of others. */
function changed(lines, changes) {
  const result = [];
  let at = 0;
  for (const [start, end, came] of changes) {
    for (; at < start; at++) result.push(lines[at]);
    for (const line of came) result.push(line);
    at = end;
  }
  for (; at < lines.length; at++) result.push(lines[at]);
  return result;
}

function marked(text, spans) {
  const cell = make("td");
  let at = 0;
  for (let span = 0; span < spans.length; span += 2) {
    cell.append(visible(text.slice(at, spans[span])));
    cell.append(make("mark", "", visible(text.slice(spans[span], spans[span + 1]))));
    at = spans[span + 1];
  }
  cell.append(visible(text.slice(at)));
  return cell;
}

/** Number and text of one side of a row. */
function side(lines, at, className, spans) {
  if (at === null) return [make("td", "number none"), make("td", "none")];
  const text = marked(lines[at].replace(/\n$/, ""), spans || []);
  if (!lines[at].endsWith("\n")) text.append(make("span", "end", " no newline at the end"));
  if (className) text.classList.add(className);
  return [make("td", `number ${className}`, String(at + 1)), text];
}

/** Equal lines `start:end` of the left side: those near a change, and how many there are between. */
function equalRows(body, left, right, start, end, shift, isFirst, isLast) {
  const row = (at) => body.append(make("tr", "", ...side(left, at, "", null), ...side(right, at + shift, "", null)));
  const head = isFirst ? start : Math.min(start + CONTEXT, end);
  const tail = isLast ? end : Math.max(head, end - CONTEXT);
  for (let at = start; at < head; at++) row(at);
  if (tail - head > 1) {
    const cell = make("td", "", `${tail - head} equal lines`);
    cell.colSpan = 4;
    body.append(make("tr", "gap", cell));
  }
  for (let at = tail - head > 1 ? tail : head; at < end; at++) row(at);
}

/** Two texts side by side: the lines of the left one, and the changes that make the right one. */
function difference(names, left, changes) {
  if (!changes.length) return make("p", "", `${names[0]} and ${names[1]} are equal.`);
  const right = changed(left, changes);
  const body = make("tbody");
  let at = 0;
  let shift = 0;
  for (const [start, end, came, marks] of changes) {
    equalRows(body, left, right, at, start, shift, at === 0, false);
    for (let line = 0; line < Math.max(end - start, came.length); line++) {
      const spans = marks[line] || [null, null];
      const one = side(left, line < end - start ? start + line : null, "gone", spans[0]);
      const other = side(right, line < came.length ? start + shift + line : null, "came", spans[1]);
      body.append(make("tr", "", ...one, ...other));
    }
    shift += came.length - (end - start);
    at = end;
  }
  equalRows(body, left, right, at, left.length, shift, false, true);
  const columns = make("colgroup", "", make("col", "number"), make("col"), make("col", "number"), make("col"));
  const head = names.map((name) => { const cell = make("th", "", name); cell.colSpan = 2; return cell; });
  return make("table", "difference", columns, make("thead", "", make("tr", "", ...head)), body);
}

function whole(name, text) {
  return make("details", "", make("summary", "", name), make("pre", "", visible(text)));
}

function facts(pairs) {
  const list = make("dl");
  for (const [name, text] of pairs) if (text) list.append(make("dt", "", name), make("dd", "", visible(text)));
  return list;
}

/** The texts of a failure whose case is at hand. */
function texts(failure, known) {
  const original = linesOf(known.original);
  const expected = changed(original, known.expected);
  const parts = known.said.flatMap(([who, text]) => [make("h3", "", who), make("pre", "", visible(text))]);
  if (known.sketch) parts.push(make("h3", "", "Sketch"), make("pre", "", visible(known.sketch)));
  parts.push(make("h3", "", "Expected and output"));
  parts.push(failure.output
    ? difference(["expected", "output"], expected, failure.output)
    : make("p", "", "There is no output."));
  parts.push(make("h3", "", "Original and expected"), difference(["original", "expected"], original, known.expected));
  parts.push(make("h3", "", "Whole texts"), whole("original", known.original), whole("expected", expected.join("")));
  if (failure.output) parts.push(whole("output", changed(expected, failure.output).join("")));
  return parts;
}

/** What the record of a failure holds, where the texts of its case are not at hand. */
function alone(failure) {
  const parts = [make("p", "notice", "The texts of this case are not at hand.")];
  if (failure.output !== null) parts.push(make("h3", "", "Output"), make("pre", "", visible(failure.output)));
  return parts;
}

function hash(failure) {
  return `#${encodeURIComponent(`${failure.id}/${failure.system}`)}`;
}

function asked() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}

function show(failure) {
  const at = shown.indexOf(failure);
  const article = document.getElementById("failure");
  const known = Object.hasOwn(data.cases, failure.id) ? data.cases[failure.id] : null;
  const turn = (name, step) => {
    const button = make("button", "", name);
    const next = at < 0 ? undefined : shown[at + step];
    button.disabled = !next;
    button.addEventListener("click", () => { location.hash = hash(next); });
    return button;
  };
  const about = [
    ["kind", failure.kind], ["status", failure.status], ["path", known ? known.path : ""],
    ["language, style", `${failure.language}, ${failure.style}`], ...failure.facts,
  ];
  article.replaceChildren(
    make("h3", "", visible(`${failure.id} by ${failure.system}`)), turn("previous", -1), " ", turn("next", 1),
    facts(about), ...(known ? texts(failure, known) : alone(failure)),
  );
  article.hidden = false;
  for (const [other, row] of rows) row.classList.toggle("chosen", other === failure);
}

function open() {
  const wanted = asked();
  const failure = data.failures.find((each) => `${each.id}/${each.system}` === wanted);
  if (!failure) return;
  show(failure);
  document.getElementById("failure").scrollIntoView();
}

/** What a free text is looked for in. */
function searched(failure) {
  const known = Object.hasOwn(data.cases, failure.id) ? data.cases[failure.id] : null;
  const facts = failure.facts.map(([, text]) => text);
  return [failure.id, ...facts, ...(known ? [known.path, known.sketch] : [])].join("\n").toLowerCase();
}

function filter() {
  const form = document.getElementById("filters");
  const text = form.elements.text.value.toLowerCase();
  shown = data.failures.filter((failure) =>
    Object.keys(FILTERS).every((name) => ["", failure[name]].includes(form.elements[name].value)) &&
    (!text || searched(failure).includes(text)));
  const isShown = new Set(shown);
  for (const [failure, row] of rows) row.hidden = !isShown.has(failure);
  document.getElementById("count").textContent = `${shown.length} of ${data.failures.length}`;
}

function choice(name) {
  const counts = new Map();
  for (const failure of data.failures) counts.set(failure[name], (counts.get(failure[name]) || 0) + 1);
  const select = make("select", "", new Option("all", ""));
  for (const [value, count] of counts) select.append(new Option(`${visible(value)} (${count})`, value));
  select.name = name;
  return make("label", "", FILTERS[name], select);
}

function build() {
  const form = document.getElementById("filters");
  const text = make("input");
  text.name = "text";
  text.type = "search";
  form.append(...Object.keys(FILTERS).map(choice), make("label", "", "text", text));
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  const head = make("tr", "", ...Object.values(COLUMNS).map((name) => make("th", "", name)));
  const body = make("tbody");
  for (const failure of data.failures) {
    const row = make("tr", "", ...Object.keys(COLUMNS).map((name) => make("td", "", visible(failure[name]))));
    const link = make("a", "", visible(failure.id));
    link.href = hash(failure);
    row.children[1].replaceChildren(link);
    rows.set(failure, row);
    body.append(row);
  }
  document.getElementById("list").append(make("thead", "", head), body);
}

const rows = new Map();
let shown = [];
if (data.failures.length) {
  build();
  filter();
  window.addEventListener("hashchange", open);
  open();
}
