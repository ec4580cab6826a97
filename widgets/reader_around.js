// What stands around the list of the reader: its title and search, filters, undo, and what can be done with a row.

function segment(label, values, name, press) {
  const node = tag("span", "seg", ...values.map((value) => button(value, "", () => press(value))));
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", label);
  [...node.children].forEach((child, at) => Object.assign(child.dataset, { act: name, k: values[at] }));
  return node;
}

function press(group, value) {
  for (const child of group.children) child.setAttribute("aria-pressed", String(child.dataset.k === value));
}

// `on` are what the controls do.
function makeAround(on) {
  const title = tag("h3", "", "Messages");
  const stale = tag("span", "tag", "stale");
  const field = Object.assign(tag("input", "small"), { type: "text", placeholder: "Search" });
  Object.assign(field.dataset, { act: "messages:search", k: "search" });
  field.setAttribute("aria-label", "Search messages");
  const found = tag("span", "dim t1 found");
  found.setAttribute("role", "status");
  const [previous, next] = [["\u2039", -1, "Previous match"], ["\u203a", 1, "Next match"]].map(([text, step, label]) => {
    const node = button(text, "small", () => on.find(step), label);
    node.setAttribute("aria-label", label);
    return node;
  });
  const undo = button("Undo", "quiet small", () => on.act("undo"));
  const redo = button("Redo", "quiet small", () => on.act("redo"));
  const filters = segment("Which messages", FILTERS, "messages:filter", (filter) => on.look({ filter }));
  const modes = segment("How they are shown", ["read", "raw"], "messages:raw", (value) => on.look({ raw: value === "raw" }));
  const search = tag("span", "rw-find", field, found, previous, next);
  const bar = tag("div", "ph", title, search, tag("span", "push"), undo, redo, filters, modes);

  const columns = tag("div", "rw-row rw-columns", ...["", "role", "", "chars", ""].map((word) => tag("span", "", word)));
  columns.setAttribute("aria-hidden", "true");
  const empty = tag("p", "pb t1 dim");
  const list = tag("ol", "msgs rw-rows");
  list.setAttribute("role", "list");
  list.setAttribute("aria-label", "Messages");
  const scroll = tag("div", "scroll", columns, empty, list);
  scroll.dataset.k = "scroll";

  const number = Object.assign(tag("input", "small"), { type: "number", min: 1 });
  number.setAttribute("aria-label", "Go to message number");
  const total = tag("span");
  const does = tag("span", "does");
  const attempt = button("Attempt", "quiet small", on.toAttempt, "Go to the attempt");
  const foot = tag("div", "rw-reader-foot", tag("label", "t1", "message ", number, total), does, tag("span", "push"), attempt);
  const section = tag("section", "panel fillcol rw-reader", bar, scroll, foot);
  section.dataset.k = "messages";

  let typing = 0;
  let first = 0;
  const send = () => on.sought(field.value);
  field.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(send, TYPED_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") on.find(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape" && field.value) {
      field.value = "";
      send();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  number.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return; // on which a page in Lab sends no change
    event.preventDefault();
    if (number.value) on.go(Number(number.value) - 1 + first);
  });

  // Around the whole list.
  function show({ head, rows, isRaw, words, hasMatch }) {
    if (!head) return;
    title.id = `${head.bench}-messages`;
    section.setAttribute("aria-labelledby", title.id);
    if (head.stale) title.after(stale);
    else stale.remove();
    FILTERS.forEach((value, at) => {
      const count = head.counts?.[at] ?? 0;
      filters.children[at].textContent = `${value} ${count.toLocaleString("en")}`;
      filters.children[at].hidden = value === "problems" && !count && rows.filter !== value;
    });
    press(filters, rows.filter);
    press(modes, isRaw ? "raw" : "read");
    undo.hidden = redo.hidden = !(head.edited || head.redo);
    [undo.disabled, redo.disabled] = [!head.undo, !head.redo];
    undo.title = head.undo ? `Undo ${head.words}` : "There is nothing to undo.";
    redo.title = head.redo ? "Do again what was undone" : "There is nothing to do again.";
    found.textContent = words;
    previous.hidden = next.hidden = !hasMatch;
    empty.hidden = rows.list.length > 0 && !head.fault;
    empty.textContent = head.fault ?? (rows.count ? "No message matches." : "No messages yet.");
    for (const node of [filters, modes, foot]) node.hidden = !rows.count;
    first = rows.instructions;
    number.max = rows.count - first;
    total.textContent = ` of ${(rows.count - first).toLocaleString("en")}`;
    section.style.setProperty("--rw-no", `${Math.max(2, rows.count.toLocaleString("en").length)}ch`);
    attempt.hidden = !rows.flags.some((flag) => flag & FLAG.attempt);
  }

  // What can be done with the row that is selected.
  function showRow({ rows, row, parts, isRaw }) {
    if (document.activeElement !== number) number.value = row < first ? "" : row - first + 1;
    const key = does.contains(document.activeElement) ? document.activeElement.dataset.k : null;
    const edits = parts.filter((part) => part.edit);
    const nodes = edits.slice(0, 4).map((part, at) => {
      const what = part.label && part.kind === "call" ? part.label : part.edit;
      const text = edits.length > 1 ? `Edit ${shown(what)}` : "Edit";
      const node = button(text, "small", () => on.edit(row, part.b), `Edit ${shown(part.edit)}`);
      node.dataset.k = `edit ${at}`;
      return node;
    });
    if (edits.length > 4) nodes.push(tag("span", "dim t1", `and ${edits.length - 4} more: key e on a call`));
    if (parts.length) {
      const raw = button(isRaw ? "Read" : "Raw", "small", () => on.turnRaw(row), "As it was pasted, and back");
      raw.dataset.k = "raw";
      nodes.push(raw);
    }
    if (edits.length) nodes.push(button("Remove", "small", () => on.act("remove-message", String(row)), "Undo brings it back"));
    for (const part of parts.filter(({ pair }) => pair).slice(0, 3)) {
      const to = row + part.pair[0];
      nodes.push(button(`${part.kind === "call" ? "Result" : "Call"} ${rows.number(to)}`, "small", () => on.goTo(to), "Go there"));
    }
    does.replaceChildren(...nodes);
    if (key !== null) [...does.children].find((node) => node.dataset.k === key)?.focus({ preventScroll: true });
  }

  function setSearch(text) {
    if (document.activeElement !== field) field.value = text;
  }

  return { section, scroll, list, columns, foot, show, showRow, setSearch, leave: () => clearTimeout(typing) };
}
