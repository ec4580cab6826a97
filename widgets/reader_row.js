// What stands in a row of the reader: its cells, its parts (see panels/reader_parts.py), and texts with what was found.
// Untrusted text goes in by textContent alone. Ranges count code points, as Python does.

const CROSS = "M2.5 2.5l7 7M9.5 2.5l-7 7";
const CHECK = "M2 6.5 4.8 9.3 10 3";
// What has no sign of its own, or lets text reorder its surroundings.
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const FIRST_PIECE = 20_000; // code points that a first and a further click show
const PIECE = 80_000;
const BLOCKS = 40; // that come at once

function tag(name, className = "", ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

function button(text, className, press, title = "") {
  const node = tag("button", className, text);
  node.type = "button";
  if (title) node.title = title;
  node.addEventListener("click", press);
  return node;
}

function stroke(path) {
  const [svg, line] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("class", "m");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

const many = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const isWide = (text) => /[\ud800-\udbff]/.test(text);
const size = (text) => (isWide(text) ? [...text].length : text.length);

function shown(text) {
  return text.replace(CONTROLS, (one) => {
    const code = one.codePointAt(0);
    return code < 32 ? String.fromCodePoint(0x2400 + code) : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

// Puts a text into a node. `found` are ranges [from, to, is the current one] of the block; the text begins at `base`.
function fill(node, text, base, found) {
  const points = found.length && isWide(text) ? [...text] : null;
  const cut = (from, to) => (points ? points.slice(from, to).join("") : text.slice(from, to));
  const length = points ? points.length : text.length;
  let at = 0;
  for (const [from, to, current] of found) {
    const [start, end] = [Math.max(from - base, at), Math.min(to - base, length)];
    if (start >= end) continue;
    const mark = tag("mark", current ? "at" : "");
    mark.textContent = shown(cut(start, end));
    node.append(shown(cut(at, start)), mark);
    at = end;
  }
  node.append(shown(at ? cut(at, length) : text));
  return node;
}

// Marks what was sought in a folded line; the count beside it is what counts.
function line(node, text, sought) {
  const at = sought && text.toLowerCase().length === text.length ? text.toLowerCase().indexOf(sought.toLowerCase()) : -1;
  return fill(node, text, 0, at < 0 ? [] : [[at, at + sought.length, false]].filter(() => !isWide(text)));
}

// The cells of a row. `of` is what the reader knows of it, `does` what a click does.
function cells(of, does) {
  const { content, flags } = of;
  const kind = KINDS[of.kind];
  const role = tag("span", "role cut", shown(content?.role ?? (flags & FLAG.attempt ? "attempt" : kind)));
  role.title = content ? `role ${shown(content.pasted)}` : "";
  const said = tag("div", "said");
  if (!content) said.append(tag("div", "dim", `${many(of.chars, "char")}, on the way`));
  else if (of.isRaw) said.append(...rawParts(of, does));
  else {
    for (const part of content.parts) said.append(...partNodes(part, of, does));
    if (content.more > 0) {
      const left = many(content.more, "more block");
      said.append(button(`Show ${left}`, "quiet small", () => does.blocks(of.row)));
    }
  }
  for (const [severity, text, index] of content?.problems ?? []) {
    const says = button("", `quiet problem${severity === "note" ? " cut" : ""}`, () => does.problem(index));
    says.append(tag("span", `sev ${severity}`, severity), " ", shown(text));
    says.title = `${shown(text)} Press to select its place in the source.`;
    said.append(says);
  }
  if (content?.note) {
    const origin = content.origin && tag("span", `o ${content.origin[0]}`, content.origin[0]);
    if (origin) origin.title = content.origin[1];
    said.append(tag("div", "dim", origin, origin ? " " : "", content.note));
  }
  const chars = tag("span", "chars dim", of.chars ? of.chars.toLocaleString("en") : "");
  chars.title = many(of.chars, "char");
  return [tag("span", "no", of.number), role, said, chars, tag("span", "ends", ...ends(of))];
}

function ends(of) {
  const nodes = [];
  if (of.flags & FLAG.edited) nodes.push(tag("span", "tag warn", "edited"));
  if (of.flags & FLAG.task) nodes.push(tag("span", "tag task", "task"));
  const rules = (of.content?.parts ?? []).flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  const failed = rules.filter(Boolean).length;
  const says = failed < rules.length ? `${failed} of ${rules.length} failed` : "failed";
  if (failed || (!rules.length && of.flags & FLAG.failed)) nodes.push(tag("span", "fail", stroke(CROSS), says));
  else if (rules.length) nodes.push(tag("span", "dim", stroke(CHECK), "ok"));
  if (of.words) nodes.push(tag("span", "dim", of.words));
  return nodes;
}

function partNodes(part, of, does) {
  const key = `${part.b}:${part.from}`;
  const open = of.open.get(key);
  const found = of.found.filter(([block, from, to]) => block === part.b && from < part.to && to > part.from);
  const ranges = found.map(([, from, to, current]) => [from, to, current]);
  const mono = part.kind === "call" || part.kind === "result" || part.kind === "unknown" ? " call" : "";
  const nodes = [];
  const put = (node) => {
    node.dataset.k = `${key} ${nodes.length}`;
    node.dataset.b = part.b;
    nodes.push(node);
  };
  if (of.form?.b === part.b) {
    if (!of.form.isPlaced) put(of.form.node);
    of.form.isPlaced = true;
  } else if (part.kind === "note") {
    put(tag("div", "dim", part.label ? `${part.label}: ` : "", shown(part.line)));
  } else if (part.kind === "text") {
    if (part.label) put(tag("div", "t0 dim", part.label));
    put(fill(tag("div", "full"), open ? part.text : part.head, open ? part.start : part.from, ranges));
    const hidden = open ? [] : found.filter(([, , to]) => to > part.from + size(part.head));
    nodes.push(...more(part, open, key, of, does, hidden.length));
  } else {
    const fold = button("", `fold cut${mono}`, () => does.open(of.row, part, open ? null : FIRST_PIECE));
    fold.setAttribute("aria-expanded", String(Boolean(open)));
    const isNamed = of.found.some(([block, from]) => block === part.b && from < part.from);
    const isTag = part.kind === "mark" || (part.kind === "result" && part.label);
    const label = part.label && line(tag(part.kind === "call" ? "b" : "span", isTag ? "tag" : ""), part.label, isNamed ? of.sought : "");
    if (label) fold.append(label, " ");
    if (!label && open) fold.append(tag("span", "dim", part.kind));
    if (part.line && !open) fold.append(line(tag("span"), part.line, of.sought));
    const length = part.to - part.from;
    // A row with one result has its length in its own column.
    const isTold = length <= (part.line ?? "").length + 40 && part.kind === "call";
    const counts = isTold || (part.kind === "result" && of.content.parts.length === 1) ? [] : [many(length, "char")];
    if (found.length && !open) counts.push(found.length === 1 ? "1 match" : `${found.length.toLocaleString("en")} matches`);
    put(tag("div", `folded${isTag ? " marked" : ""}`, fold, counts.length ? tag("span", "t0 dim", counts.join(", ")) : null));
    if (open) {
      put(fill(tag("div", `full${mono}${part.kind === "mark" || part.kind === "reasoning" ? " dim" : ""}`), part.text, part.start, ranges));
      nodes.push(...more(part, open, key, of, does, 0));
    }
  }
  if (part.rule) nodes.push(tag("div", "dim t0", `failed by: ${shown(part.rule)}`));
  if (part.says) nodes.push(tag("div", part.pair ? "dim t0" : "alone t0", part.says));
  return nodes;
}

// What is not shown of a text is counted, before and behind, and shown piece by piece.
function more(part, open, key, of, does, matches) {
  const end = open ? part.start + size(part.text) : part.from + size(part.head ?? "");
  const before = open ? part.start - part.from : 0;
  const nodes = [];
  const add = (says, from, to) => nodes.push(button(says, "quiet small", () => does.range(of.row, part, from, to)));
  const next = open ? PIECE : FIRST_PIECE;
  if (before > 0) add(`Show ${many(Math.min(PIECE, before), "char")} of ${many(before, "char")} before`, part.start - PIECE, end);
  const left = part.to - end;
  const holds = matches ? `, ${matches} of them matching` : "";
  if (left > next) add(`Show ${many(next, "char")} of ${many(left, "more char")}${holds}`, part.start ?? part.from, end + next);
  else if (left > 0) add(`Show ${many(left, "more char")}${holds}`, open ? part.start : part.from, part.to);
  if (open && part.kind === "text") nodes.push(button("Show less", "quiet small", () => does.open(of.row, part, null)));
  const row = tag("div", "mores", ...nodes);
  row.dataset.k = `${key} more`;
  return nodes.length ? [row] : [];
}

// A message as it was pasted.
function rawParts(of, does) {
  const part = of.content.raw;
  if (!part) return [tag("div", "dim", "on the way")];
  const says = part.says && tag("div", "dim", part.says);
  if (!part.to) return [says];
  return [says, fill(tag("div", "full call"), part.text, part.start, []), ...more(part, true, "raw", of, does, 0)].filter(Boolean);
}
