// The frame of one bench: names its root and parts for screen readers, hears its keys, and lists them on `?` (UI.md 8, 9).
// It shows an algorithm's panes as soon as its tab is chosen; Python hears of it by the tab's own act and says the same.
//
//   Python -> browser   {names: {class: [role, label]}}   roles and names of the boxes that ipywidgets makes
//   browser -> Python   {want: true}                      a view was made: answer with the names

const KEYS = [
  ["Ctrl or Cmd Enter", "run"],
  ["Esc", "close, else cancel the run"],
  ["/", "search messages"],
  ["n, N", "next, previous failed result"],
  ["m, M", "next, previous mark in Judge\u2019s view"],
  ["[ and ]", "previous, next turn"],
  ["w, j, p", "go to Why, Judge\u2019s view, Policy or What if"],
  ["1 2 3", "algorithm"],
  ["arrows, Home, End", "in the tabs and in Messages"],
  ["in Messages: Enter", "open or fold a message; Right and Left too"],
  ["e, r", "edit the message; as it was pasted"],
  ["g, a", "go to the call\u2019s result and back, to the attempt"],
  ["c", "copy the record"],
  ["?", "this list"],
];
const ASK_MS = 500; // an answer that did not come is asked for again
const SUPPRESS = "data-lm-suppress-shortcuts";
// What a key goes to, in the panes of each algorithm.
const PANELS = {
  w: ["why", "cutoffs-rules", "streak"],
  j: ["judge", "cutoffs-question", "transcript"],
  p: ["policy", "cutoffs-what-if", "judge-settings"],
};
const SHOWS = "rw-on-"; // the root's class that shows an algorithm's panes
const MARKS = ".eye .clip, .eye .drop, .eye mark";
const TEXT_FIELDS = "textarea, select, input:not([type=checkbox], [type=radio], [type=range]), [contenteditable=true]";

function render({ model, el }) {
  const list = keyList();
  let root = null;
  let leave = () => {};
  let names = {};
  el.classList.add("rw-frame");
  el.append(list);

  // Asks again until the answer is there: Lab loses messages while it changes the subshell that they run in.
  let asking = 0;
  function ask(wait) {
    model.send({ want: true });
    asking = setTimeout(ask, wait, 2 * wait);
  }

  function receive(message) {
    if (!message.names) return;
    clearTimeout(asking);
    names = message.names;
    if (root) name();
  }

  function name() {
    for (const [part, [role, label]] of Object.entries(names)) {
      for (const box of root.querySelectorAll(`.${part}`)) {
        box.setAttribute("role", role);
        box.setAttribute("aria-label", label);
      }
    }
  }

  // The view is made before it is put into the page.
  let waiting = requestAnimationFrame(function enter() {
    root = el.closest(".rw");
    if (!root) {
      waiting = requestAnimationFrame(enter);
      return;
    }
    // Without the attribute Lab's command mode hears our keys: `d d` deletes the cell, arrows move between cells. It has to be
    // on the element that is focused, since Lab's selectors end in `:focus`. Saving stays Lab's, which looks after our
    // handlers: else the browser would offer to save the page.
    const suppress = (event) => {
      if (!root.contains(event.target)) return;
      const saves = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
      for (const node of [root, event.target]) {
        if (saves) node.removeAttribute(SUPPRESS);
        else node.setAttribute(SUPPRESS, "true");
      }
    };
    root.setAttribute(SUPPRESS, "true");
    window.addEventListener("keydown", suppress, true);
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Routing Workbench");
    root.tabIndex = -1;
    const press = (event) => onKey(event, root, list);
    root.addEventListener("keydown", press);
    const choose = (event) => {
      const tab = event.target.closest('[role="tab"]');
      if (tab && root.contains(tab)) show(root, tab);
    };
    root.addEventListener("click", choose);
    // A figure that was hidden or whose column changed has the wrong width until the window resizes.
    let width = 0;
    const resized = new ResizeObserver(([entry]) => {
      const now = Math.round(entry.contentRect.width);
      if (now && now !== width) requestAnimationFrame(() => window.dispatchEvent(new Event("resize")));
      width = now;
    });
    for (const chart of root.querySelectorAll(".rw-chart")) resized.observe(chart);
    leave = () => {
      window.removeEventListener("keydown", suppress, true);
      root.removeEventListener("keydown", press);
      root.removeEventListener("click", choose);
      resized.disconnect();
    };
    name();
  });

  model.on("msg:custom", receive);
  ask(ASK_MS);
  return () => {
    clearTimeout(asking);
    cancelAnimationFrame(waiting);
    model.off("msg:custom", receive);
    leave();
  };
}

function onKey(event, root, list) {
  const { key, target } = event;
  const inText = target.matches(TEXT_FIELDS);
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) return use(event, () => press(root, "run"));
  if (inText || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions = {
    Escape: () => (list.hidden ? press(root, "cancel") : close(list, root)),
    "?": () => (list.hidden ? open(list) : close(list, root)),
    "/": () => root.querySelector('[data-act="messages:search"]')?.focus(),
    n: () => root.dispatchEvent(new CustomEvent("rw-failed", { detail: 1 })),
    N: () => root.dispatchEvent(new CustomEvent("rw-failed", { detail: -1 })),
    m: () => step(root, MARKS, 1),
    M: () => step(root, MARKS, -1),
    w: () => go(root, PANELS.w),
    j: () => go(root, PANELS.j),
    p: () => go(root, PANELS.p),
    "[": () => press(root, "turn:previous"),
    "]": () => press(root, "turn:next"),
    c: () => press(root, "copy-record"),
  };
  if (Object.hasOwn(actions, key)) return use(event, actions[key]);
  const tab = tabs(root)[Number(key) - 1];
  if (tab) return use(event, () => turnTo(tab));
  if (/^Arrow|^Home$|^End$/.test(key) && target.matches('[role="tab"]')) between(event, root);
}

function tabs(root) {
  return [...root.querySelectorAll('[role="tab"]')];
}

// Arrows, Home and End move between the tabs, and what is moved to is shown.
function between(event, root) {
  const found = tabs(root);
  const here = found.indexOf(event.target);
  const ends = { Home: 0, End: found.length - 1 };
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = found[ends[event.key] ?? (step ? (here + step + found.length) % found.length : -1)];
  if (next) use(event, () => turnTo(next));
}

function turnTo(tab) {
  tab.focus({ preventScroll: true });
  tab.click();
}

// The panes of the tab's algorithm, before Python has heard of it: a busy kernel holds nothing up.
function show(root, tab) {
  for (const one of tabs(root)) {
    one.setAttribute("aria-selected", String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
    root.classList.toggle(SHOWS + one.value, one === tab);
  }
}

// Those that match and do not stand in a pane of another algorithm.
function all(root, selector) {
  return [...root.querySelectorAll(selector)].filter((node) => node.closest(".rw-pane")?.checkVisibility() ?? true);
}

function use(event, action) {
  event.preventDefault();
  event.stopPropagation();
  action();
}

function press(root, act) {
  all(root, `button[data-act="${act}"]:not(:disabled)`)[0]?.click();
}

function go(root, panels) {
  const [section] = all(root, panels.map((panel) => `section[data-k="${panel}"]`).join());
  if (!section) return;
  section.scrollIntoView({ block: "start" });
  focus(section.querySelector("h3") ?? section);
}

// The next match after where the focus is, around the end; folds on the way to it open.
function step(root, selector, direction) {
  const found = all(root, selector).map((node) => node.closest("li, .eye > div") ?? node);
  if (!found.length) return;
  const from = document.activeElement;
  const here = found.indexOf(from);
  let next;
  if (here >= 0) next = found[(here + direction + found.length) % found.length];
  else {
    const after = found.filter((node) => from.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING);
    next = direction > 0 ? (after[0] ?? found[0]) : (found[found.length - after.length - 1] ?? found.at(-1));
  }
  for (let fold = next.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  focus(next);
}

function focus(node) {
  if (!node.hasAttribute("tabindex")) node.tabIndex = -1;
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: "nearest" });
}

function open(list) {
  list.hidden = false;
  focus(list);
}

function close(list, root) {
  list.hidden = true;
  root.focus({ preventScroll: true });
}

function keyList() {
  const list = document.createElement("section");
  list.className = "panel rw-keys";
  list.setAttribute("aria-label", "Keys");
  list.hidden = true;
  const rows = document.createElement("ul");
  for (const [keys, does] of KEYS) {
    const row = document.createElement("li");
    row.append(Object.assign(document.createElement("kbd"), { textContent: keys }), does);
    rows.append(row);
  }
  list.append(rows);
  return list;
}

export default { render };
