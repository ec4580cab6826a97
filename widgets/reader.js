// The reader of a conversation of any length: the page holds the rows that are seen, and asks for them as they come.
//
//   Python -> browser   {head}             what stands around the list: bench, counts, edits, filter, search
//                       {index: {n, at, gone, whole}}   rows in the place of others; n grows by one. Buffers: ids and
//                                          characters (32 bits), kinds and flags (8 bits)
//                       {rows}, {blocks}   contents of rows; further blocks of one
//                       {piece}            a stretch of a text: {id, b, from, text}
//                       {raw}              [id, characters, a remark] of messages as pasted
//                       {edit}             a text to edit, in parts; or {says} why not
//                       {found: {q, n, total}}, {hits}   rows, and how often, that hold a text; where in a row
//                       {go: {row, focus}} bring a row into view
//   browser -> Python   {want: true}       a view was made, or something was missed: answer with everything
//                       {rows}, {blocks}, {piece}, {raw}, {edit}, {hits}, {search, n}, {look: {filter, raw}}
//                       {act, k, value}    edit-message, remove-message, undo, redo, jump-diagnostic
//
// A row is told by its id, which stays while nothing of it changes. Nothing of it is a trait.

const ASK_MS = 500; // an answer that did not come is asked for again
const TYPED_MS = 120;

function render({ model, el }) {
  const rows = new Rows();
  const search = new Search();
  const contents = new Contents(rows, { ask, answered, due });
  const asked = new Map(); // by name: the timer of what is due
  let head = null;
  let n = 0;
  let active = -1; // the row that keys act on
  let isWanted = false; // whether it is to be focused once it is there
  let lit = []; // "row:block" of a call and its result
  let edit = null;
  const around = makeAround({
    look,
    find(direction) {
      if (search.step(rows, direction)) goToMatch();
    },
    sought(text) {
      search.number += 1;
      answered("search");
      ask("search", { search: text, n: search.number });
    },
    act,
    go: (row) => goTo(row, false),
    toAttempt,
    edit: startEdit,
    turnRaw,
    goTo,
  });
  el.classList.add("rw-surface");
  el.append(around.section);
  const win = new ListWindow(rows, around.scroll, around.list, around.columns, { build, pinned, drawn });

  // ---- asking and answers

  // Asks again until the answer is there: Lab loses messages while it changes the subshell that they run in.
  function ask(name, message, wait = ASK_MS) {
    if (asked.has(name) && wait === ASK_MS) return;
    model.send(message);
    asked.set(name, setTimeout(ask, wait, name, message, Math.min(2 * wait, 16_000)));
  }

  function answered(name) {
    clearTimeout(asked.get(name));
    asked.delete(name);
  }

  function act(name, k = "", value = "") {
    // What was typed in the paste editor comes before what is done here.
    el.dispatchEvent(new CustomEvent("rw-act", { bubbles: true, detail: name }));
    model.send({ act: name, k, value });
  }

  const receives = {
    head(now) {
      answered("want");
      if (now.source !== head?.source) contents.forget("raw");
      const isFirst = !head;
      head = now;
      rows.instructions = head.instructions ?? 0;
      if (isFirst) begin(now);
      win.renew();
      show();
    },
    index({ n: number, at, gone, whole }, buffers) {
      answered("want");
      if (!whole && number !== n + 1) {
        ask("want", { want: true });
        return;
      }
      n = number;
      const [ids, chars, kinds, flags] = buffers.map(copied);
      splice(at, whole ? rows.count : gone, {
        ids: new Uint32Array(ids),
        chars: new Uint32Array(chars),
        kinds: new Uint8Array(kinds),
        flags: new Uint8Array(flags),
      });
    },
    rows(made) {
      contents.takeRows(made);
      show();
    },
    blocks: (made) => contents.takeBlocks(made),
    piece: (made) => contents.takePiece(made),
    raw: (made) => contents.takeRaw(made),
    edit(made) {
      if (edit?.id !== made.id || edit.b !== made.b) return;
      edit.take(made);
      if (edit.was !== null || edit.isRefused) answered("edit");
      due(made.id);
    },
    found({ q, n: number, total }, [found, counts]) {
      answered("search");
      if (number !== null && number < search.number) return;
      search.take(q, total, new Uint32Array(copied(found)), new Uint32Array(copied(counts)));
      contents.forget("hits");
      around.setSearch(q);
      win.renew();
      // What is typed leads to its first match from here on.
      if (number !== null && search.step(rows, 1, win.anchor()?.row ?? 0)) goToMatch();
      show();
    },
    hits(made, _, { q }) {
      answered("hits");
      if (q !== search.q) return;
      contents.takeHits(made);
      unfold();
    },
    go: ({ row, focus }) => goTo(row, focus),
  };

  function receive(message, buffers) {
    for (const name of Object.keys(receives)) if (name in message) receives[name](message[name], buffers, message);
  }

  function begin({ filter, raw, search: sought }) {
    contents.isRaw = raw;
    rows.choose(filter);
    around.setSearch(sought);
    search.take(sought, 0, [], []);
  }

  // ---- rows

  const pairOf = (row, part) => (part?.pair ? [`${row}:${part.b}`, `${row + part.pair[0]}:${part.pair[1]}`] : []);

  function due(id) {
    const node = win.mounted.get(id);
    if (node) node.isDue = true;
    win.draw();
  }

  function splice(at, gone, came) {
    win.look();
    const anchor = win.anchor();
    const done = rows.splice(at, gone, came);
    if (!done) return;
    for (const [before, now] of done.renamed) rename(before, now);
    // What was asked by places that are others now is asked again where it is still missing.
    for (const name of [...asked.keys()]) if (name !== "want" && name !== "search") answered(name);
    active = active < 0 ? -1 : done.now(active);
    lit = [];
    if (win.aim) win.aim.row = done.now(win.aim.row);
    if (search.at) search.at.row = done.now(search.at.row);
    if (edit) follow(done);
    if (!rows.count) {
      begin({ filter: "all", raw: false, search: "" });
      active = -1;
    }
    win.keep(anchor, anchor && done.now(anchor.row));
    win.go();
    win.renew();
    show();
  }

  // The same row, changed: what is open in it stays so.
  function rename(before, now) {
    contents.rename(before, now);
    if (edit?.id === before) edit.id = now;
    win.rename(before, now);
  }

  function follow({ at, gone, come, now }) {
    const isTouched = edit.row >= at && edit.row < at + gone;
    edit.row = now(edit.row);
    if (isTouched && gone !== come) {
      // Its message is gone: what was typed stays until the user takes it away.
      const { node, note, saves, foot } = edit;
      note.textContent = "The message is no longer there. Copy what you typed.";
      saves.disabled = true;
      foot.children[1].addEventListener("click", () => node.remove());
      edit.held(() => around.foot.before(node));
      edit = null;
    } else if (isTouched && edit.isSent) leaveEdit();
  }

  // ---- drawing

  // The row that has the focus, and the one that is edited.
  function pinned() {
    const held = document.activeElement?.closest?.("li");
    return [edit?.row ?? -1, held && win.node(held.row) === held ? held.row : -1];
  }

  function build(node, row) {
    const content = contents.of(row);
    // A row that changed stays as it was until its contents are there.
    if (!content && node.childElementCount && !node.isBare) return false;
    node.isBare = !content;
    node.isStop = undefined;
    const form = edit?.row === row ? edit : null;
    const of = {
      row,
      content,
      form,
      kind: rows.kinds[row],
      flags: rows.flags[row],
      chars: rows.chars[row],
      number: rows.number(row),
      words: rows.words(row),
      isRaw: contents.isRawRow(row),
      open: contents.open(row),
      found: search.marks(row, content?.hits),
      sought: search.q,
    };
    const focused = node.contains(document.activeElement) && document.activeElement !== node ? document.activeElement : null;
    const key = focused?.closest("[data-k]")?.dataset.k;
    const fill = () => {
      if (form) form.isPlaced = false;
      node.className = `rw-row${of.kind === RESULT ? " res" : ""}${of.flags & FLAG.attempt ? " here" : ""}`;
      node.replaceChildren(...cells(of, does));
      if (form && !form.isPlaced) node.querySelector(".said").append(form.node);
    };
    if (form) form.held(fill);
    else fill();
    if (!focused || node.contains(document.activeElement)) return true;
    const again = [...node.querySelectorAll("[data-k]")].find((one) => one.dataset.k === key);
    (again?.querySelector("button") ?? node).focus({ preventScroll: true });
    return true;
  }

  function drawn(seen) {
    around.columns.hidden = !seen.length;
    const stop = seen.includes(active) ? active : (seen.find((row) => rows.begins(row) >= win.top) ?? seen[0]);
    for (const node of win.mounted.values()) {
      const isStop = node.row === stop;
      if (node.isStop !== isStop) {
        node.tabIndex = isStop ? 0 : -1;
        for (const control of node.querySelectorAll("button")) control.tabIndex = isStop || edit?.row === node.row ? 0 : -1;
      }
      node.isStop = isStop;
      node.classList.toggle("on", node.row === active);
    }
    light();
    if (isWanted && win.node(active)) {
      isWanted = false;
      win.node(active).focus({ preventScroll: true });
      win.node(active).scrollIntoView({ block: "nearest" }); // the panel may be out of the page's window
    }
    if (edit && edit.was === null && !edit.isRefused) ask("edit", { edit: [edit.row, edit.b] });
    contents.request(seen, (row) => search.found.has(row), win.mounted);
  }

  function light() {
    for (const node of around.list.querySelectorAll("[data-b]")) {
      node.classList.toggle("pair", lit.includes(`${node.closest("li").row}:${node.dataset.b}`));
    }
  }

  // ---- what the user does

  const does = {
    open(row, part, most) {
      contents.unfold(row, part, most);
      touched(row);
    },
    range(row, part, from, to) {
      contents.range(row, part, from, to);
      touched(row);
    },
    blocks: (row) => ask(`blocks ${rows.ids[row]}`, { blocks: [row, contents.of(row).end] }),
    problem: (index) => act("jump-diagnostic", String(index)),
  };

  function look({ filter = rows.filter, raw = contents.isRaw }) {
    const row = active >= 0 && win.node(active) ? active : win.anchor()?.row;
    contents.isRaw = raw;
    for (const state of contents.states.values()) state.raw = null;
    rows.choose(filter);
    model.send({ look: { filter, raw } });
    if (row !== undefined && rows.list.length) win.aim = { row: rows.list[rows.place(row)], align: "start" };
    win.renew();
    show();
  }

  function touched(row) {
    win.aim = null;
    select(row);
    win.refresh(row);
  }

  function select(row) {
    active = row;
    lit = contents.parts(row).flatMap((part) => pairOf(row, part));
    show();
    win.draw();
  }

  function goTo(row, isFocused = true, find = undefined) {
    if (row < 0 || row >= rows.count) return;
    if (!rows.isListed(row)) look({ filter: "all" });
    win.aim = { row, align: "nearest", find };
    isWanted = isFocused;
    select(row);
  }

  function goToMatch() {
    goTo(search.at.row, false, (node) => node.querySelector("mark.at"));
    win.renew();
    unfold();
  }

  // Opens what holds the match that is looked at, as far as it.
  function unfold() {
    const { row, hit } = search.at ?? {};
    const [b, from, to] = (row !== undefined && contents.of(row)?.hits?.[hit]) || [];
    const part = row !== undefined && contents.parts(row).find((one) => one.b === b && one.from < to && one.to > from);
    if (!part) return;
    const [start, end] = contents.open(row).get(contents.key(part)) ?? [part.from, part.from + size(part.head ?? "")];
    if (from >= start && to <= end) return;
    contents.range(row, part, from - part.from < PIECE ? part.from : from - 2_000, to + FIRST_PIECE);
    win.refresh(row);
  }

  function stepFailed({ detail }) {
    const failed = [...rows.list].filter((row) => rows.has(row, FLAG.failed));
    const here = detail > 0 ? failed.find((row) => row > active) : failed.findLast((row) => row < active);
    const row = here ?? failed.at(detail > 0 ? 0 : -1);
    if (row !== undefined) goTo(row);
  }

  function toAttempt() {
    const row = rows.flags.findLastIndex((flag) => flag & FLAG.attempt);
    if (row >= 0) goTo(row);
  }

  function turnRaw(row) {
    contents.state(row).raw = !contents.isRawRow(row);
    touched(row);
  }

  function startEdit(row, b) {
    const part = contents.parts(row).find((one) => one.b === b && one.edit);
    if (!part || (edit?.row === row && edit.b === b)) return;
    if (edit?.isChanged) {
      goTo(edit.row, false);
      edit.note.textContent = "Save this or leave it first.";
      edit.area.focus({ preventScroll: true });
      return;
    }
    if (edit) leaveEdit();
    const says = `Edit ${part.edit}, message ${rows.number(row)}`;
    edit = new Edit({ id: rows.ids[row], row, b, says, isMono: part.kind !== "text", save, leave: leaveEdit });
    contents.state(row).raw = false;
    goTo(row, false);
    win.refresh(row);
  }

  function save() {
    if (!edit.isChanged) {
      leaveEdit();
      return;
    }
    edit.isSent = true;
    edit.note.textContent = "Sent.";
    act("edit-message", `${edit.row}:${edit.b}`, edit.text);
  }

  function leaveEdit() {
    if (!edit) return;
    const { row, node } = edit;
    const isFocused = node.contains(document.activeElement);
    answered("edit");
    edit = null;
    if (isFocused) win.node(row)?.focus({ preventScroll: true });
    node.remove();
    select(row);
    win.refresh(row);
  }

  function onKey(event) {
    const { key, target } = event;
    const node = target.closest("li");
    if (!node || target.matches("textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const { row } = node;
    const [at, last] = [rows.place(row), rows.list.length - 1];
    const move = (to) => goTo(rows.list[Math.max(0, Math.min(last, to))]);
    const above = rows.begins(row) - win.room;
    const b = target === node ? null : target.closest("[data-b]")?.dataset.b;
    const parts = contents.parts(row).filter((part) => b === null || String(part.b) === b);
    const folds = parts.filter((part) => part.to > part.from + size(part.head ?? "") && part.kind !== "note");
    const open = contents.open(row);
    const fold = (most) => folds.forEach((part) => does.open(row, part, most));
    const [pair, edited] = [parts.find((part) => part.pair), parts.find((part) => part.edit)];
    const actions = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      PageDown: () => move(Math.max(at + 1, rows.sums.find(rows.begins(row) + win.room) - 1)),
      PageUp: () => move(Math.min(at - 1, above > 0 ? rows.sums.find(above) + 1 : 0)),
      Home: () => move(0),
      End: () => move(last),
      ArrowRight: () => fold(FIRST_PIECE),
      ArrowLeft: () => fold(null),
      Enter: target === node && (() => fold(folds.some((part) => open.has(contents.key(part))) ? null : FIRST_PIECE)),
      e: edited && (() => startEdit(row, edited.b)),
      g: pair && (() => goTo(row + pair.pair[0])),
      r: () => turnRaw(row),
      a: toAttempt,
    };
    if (!Object.hasOwn(actions, key) || !actions[key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[key]();
  }

  function show() {
    around.show({ head, rows, isRaw: contents.isRaw, words: search.words(rows), hasMatch: search.found.size > 0 });
    around.showRow({ rows, row: active, parts: active < 0 ? [] : contents.parts(active), isRaw: active >= 0 && contents.isRawRow(active) });
  }

  // ---- listening

  around.list.addEventListener("keydown", onKey);
  around.list.addEventListener("focusin", (event) => {
    const node = event.target.closest("li");
    if (node && node.row !== active) select(node.row);
  });
  around.list.addEventListener("mouseover", (event) => {
    const node = event.target.closest("[data-b]");
    const row = node?.closest("li").row;
    lit = node ? pairOf(row, contents.parts(row).find(({ b, pair }) => pair && String(b) === node.dataset.b)) : [];
    light();
  });
  let root = null;
  let waiting = requestAnimationFrame(function enter() {
    root = el.closest(".rw");
    if (root) root.addEventListener("rw-failed", stepFailed);
    else waiting = requestAnimationFrame(enter);
  });
  model.on("msg:custom", receive);
  ask("want", { want: true });
  show();
  return () => {
    model.off("msg:custom", receive);
    for (const timer of asked.values()) clearTimeout(timer);
    cancelAnimationFrame(waiting);
    around.leave();
    win.leave();
    root?.removeEventListener("rw-failed", stepFailed);
  };
}

function copied({ buffer, byteOffset, byteLength }) {
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

export default { render };
