// A surface shows HTML that Python made and escaped, patches it in place, and reports what the user does (UI.md 12).
//
//   Python -> browser   {html}            show this
//                       {copy}            put this text on the clipboard
//   browser -> Python   {want: true}      a view was made, also after a page reload: answer with the HTML
//                       {act, k, value}   the user acted on an element with data-act
//
// Nothing of it is a trait, so nothing of it is saved in a notebook. A patch matches elements by data-k, else by position,
// and never moves or rewrites the control that is focused or dragged: it gets its due when it is left.

const WHILE_CHANGING = "input[type=range][data-act], input[data-act$=':search']"; // report before they are left, too
const DRAG_MS = 100; // at most ten times a second
const TICK_MS = 100; // the clock
const ASK_MS = 500; // an answer that did not come is asked for again
const SETTLE_MS = 300; // a control that was left shows what is in effect, once Python had time to answer

function render({ model, el }) {
  let html = null; // what Python showed last
  let owed = false; // whether a control was left alone in the last patch
  let held = null; // the control under a pressed pointer
  let ticking = 0;
  el.classList.add("rw-surface");

  function show() {
    const wanted = document.createElement("template"); // inert: nothing in it loads or runs
    wanted.innerHTML = html;
    owed = patch(el, wanted.content, [held, document.activeElement].filter((node) => el.contains(node)));
    clearInterval(ticking);
    if (tick(el)) ticking = setInterval(() => tick(el), TICK_MS);
  }

  // Asks again until the answer is there: Lab loses messages while it changes the subshell that they run in.
  let asking = 0;
  function ask(wait) {
    model.send({ want: true });
    asking = setTimeout(ask, wait, 2 * wait);
  }

  function settle() {
    if (owed) setTimeout(() => owed && html !== null && show(), SETTLE_MS);
  }

  function receive(message) {
    if ("html" in message) clearTimeout(asking);
    if (typeof message.html === "string" && message.html !== html) {
      html = message.html;
      show();
    }
    if (typeof message.copy === "string") copy(message.copy);
  }

  function report(node, value) {
    const act = node.dataset.act;
    const k = node.closest("[data-k]")?.dataset.k ?? "";
    // Widgets of the same bench may act at once on what needs the user's click (the file dialog).
    el.dispatchEvent(new CustomEvent("rw-act", { bubbles: true, detail: act }));
    model.send({ act, k, value });
  }

  function release() {
    held = null;
    settle();
  }

  const entered = new WeakMap(); // the value of a field when Enter was pressed in it
  let reported = 0;
  let late = 0;
  const listeners = {
    click(event) {
      const node = event.target.closest("[data-act]");
      if (!node || !el.contains(node) || node.disabled || node.matches("input, select, textarea")) return;
      if (!node.matches("button") && !getSelection().isCollapsed) return; // the user marks text in a row
      report(node, taken(node) ?? node.value ?? node.dataset.value ?? "");
    },
    keydown(event) {
      const node = event.target;
      if (event.key === "Enter" && node.matches("input[data-keep]")) {
        event.preventDefault();
        node.closest("[data-form]")?.querySelector("[data-take]")?.click();
      }
      if (event.key !== "Enter" || !node.matches("[data-act]:not(button, select, textarea, [type=checkbox])")) return;
      event.preventDefault();
      if (node.matches("input")) {
        listeners.change(event); // which a browser sends only when the field is left
        entered.set(node, node.value);
      } else report(node, node.dataset.value ?? "");
    },
    change(event) {
      const node = event.target;
      if (!node.matches("[data-act]") || (event.type === "change" && entered.get(node) === node.value)) return;
      clearTimeout(late);
      owed = true; // the value may be refused
      report(node, node.type === "checkbox" ? String(node.checked) : node.value);
    },
    input(event) {
      const node = event.target;
      if (!node.matches(WHILE_CHANGING)) return;
      clearTimeout(late);
      const send = () => {
        reported = performance.now();
        report(node, node.value);
      };
      late = setTimeout(send, Math.max(0, reported + DRAG_MS - performance.now()));
    },
    pointerdown(event) {
      held = event.target.closest("input, select, textarea");
    },
    focusout: settle,
  };
  for (const [name, listener] of Object.entries(listeners)) el.addEventListener(name, listener);
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release);
  model.on("msg:custom", receive);
  ask(ASK_MS);

  return () => {
    model.off("msg:custom", receive);
    for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, release);
    clearInterval(ticking);
    clearTimeout(late);
    clearTimeout(asking);
  };
}

// What stands in the field that a button takes its value from.
function taken(node) {
  return node.hasAttribute("data-take") ? node.closest("[data-form]")?.querySelector("[data-keep]")?.value : undefined;
}

// Makes the children of `from` those of `to`. Returns whether a control in `busy` was left as it is.
function patch(from, to, busy) {
  let owed = false;
  const keyed = new Map();
  for (const node of from.children) if (key(node)) keyed.set(key(node), node);
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const match = find(wanted, at, keyed);
    if (!match) {
      from.insertBefore(wanted, at);
      continue;
    }
    keyed.delete(key(match));
    if (match !== at && busy.some((node) => match.contains(node))) {
      // Moving an element takes its focus and its drag away: the others make room instead.
      while (at !== match) {
        const next = at.nextSibling;
        from.append(at);
        at = next;
      }
    } else if (match !== at) {
      from.insertBefore(match, at);
    }
    at = match.nextSibling;
    owed = patchNode(match, wanted, busy) || owed;
  }
  while (at) {
    const next = at.nextSibling;
    // Keys keep working: the focus of what goes away stays in the bench.
    if (at.contains(document.activeElement)) from.closest(".rw")?.focus({ preventScroll: true });
    at.remove();
    at = next;
  }
  return owed;
}

function find(wanted, at, keyed) {
  const wantedKey = key(wanted);
  if (wantedKey) return keyed.get(wantedKey);
  while (at && (key(at) || at.nodeName !== wanted.nodeName)) at = at.nextSibling;
  return at;
}

function key(node) {
  return node.dataset?.k === undefined ? "" : `${node.nodeName} ${node.dataset.k}`;
}

function patchNode(node, wanted, busy) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return false;
  }
  if (busy.includes(node) && node.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return true;
  for (const { name } of [...node.attributes]) {
    if (!wanted.hasAttribute(name) && !keeps(node, name)) node.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (node.getAttribute(name) !== value && !keeps(node, name)) node.setAttribute(name, value);
  }
  if (node.hasAttribute("data-keep")) return false; // what the user typed there is theirs until they take it away
  const owed = node.hasAttribute("data-clock") ? false : patch(node, wanted, busy);
  if (node.matches("input[type=checkbox], input[type=radio]")) node.checked = wanted.hasAttribute("checked");
  else if (node.matches("input[value]") && node.value !== wanted.value) node.value = wanted.value;
  else if (node.matches("textarea, select") && node.value !== wanted.value) node.value = wanted.value;
  return owed;
}

// What the user opened or folded stays so.
function keeps(node, name) {
  return name === "open" && node.nodeName === "DETAILS";
}

// Counts on from the seconds in data-clock, never backwards within a run. Returns whether there is a clock.
function tick(el) {
  const now = performance.now() / 1000;
  const clocks = el.querySelectorAll("[data-clock]");
  for (const clock of clocks) {
    const since = Number(clock.dataset.clock);
    if (clock.since !== since) {
      const start = now - since;
      clock.start = clock.since < since ? Math.min(clock.start, start) : start;
      clock.since = since;
    }
    clock.textContent = `${(now - clock.start).toFixed(1)} s`;
  }
  return clocks.length > 0;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text }); // a page without https
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    focused?.focus();
  }
}

export default { render };
