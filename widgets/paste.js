// The paste editor: a plain text area that sends what is in it by custom message, so that no text is saved (UI.md 12).
//
//   browser -> Python   {text, n, typed}           the whole text; the highest n is the last input; typed key by key or not
//                       {file, n, part, parts}     a piece of a local file or of a long text (no name), as buffer;
//                                                  `held` where the text area does not have that text
//                       {want: true}               a view was made: answer with what is in the editor
//   Python -> browser   {set, n} or {held, n}      put this text here; or say why a long text is not put here
//                       {say}                      say this below the editor
//                       {limits}                   characters that are sent as typed, bytes of a file and of its pieces
//                       {select: [from, to]}       mark this range, in UTF-16 units

const PAUSE_MS = 120;
const ASK_MS = 500; // an answer that did not come is asked for again

function render({ model, el }) {
  const area = Object.assign(document.createElement("textarea"), {
    spellcheck: false,
    wrap: "off",
    rows: 7,
    placeholder: "Paste a conversation, open or drop a file, or choose an example.",
  });
  area.setAttribute("aria-label", "Conversation text");
  const note = Object.assign(document.createElement("span"), { className: "dim t1" });
  note.setAttribute("role", "status");
  const apply = Object.assign(document.createElement("button"), { className: "small primary", textContent: "Apply" });
  const file = Object.assign(document.createElement("input"), { type: "file", hidden: true });
  const foot = Object.assign(document.createElement("p"), { className: "rw-paste-foot", hidden: true });
  apply.type = "button";
  foot.append(note, apply);
  el.classList.add("rw-paste");
  el.append(area, foot, file);

  let limits = null; // until Python said them
  let early = null; // what waits for them
  let n = 0; // grows with every input here and every text from Python: the last one wins
  let due = 0;
  let kept = null; // a long paste that waits for Apply: in the text area it would hold up the page
  let root = null;
  let panel = null;

  // Asks again until the answer is there: Lab loses messages while it changes the subshell that they run in.
  let asking = 0;
  function ask(wait) {
    model.send({ want: true });
    asking = setTimeout(ask, wait, 2 * wait);
  }

  function say(text, offersApply = false) {
    note.textContent = text;
    apply.hidden = !offersApply;
    foot.hidden = !text;
  }

  function next() {
    clearTimeout(due);
    due = 0;
    n = Math.max(n + 1, Date.now()); // a time, since a second view of the bench counts too
    return n;
  }

  function send(typed) {
    model.send({ text: area.value, n: next(), typed });
  }

  function input(event) {
    clearTimeout(due);
    due = 0;
    if (!limits) {
      next();
      early = () => input(event);
      return;
    }
    if (area.value.length > limits.typed) {
      kept = null;
      offer(area.value.length);
      return;
    }
    if (kept === null) say(""); // else its offer stands: nothing pasted is lost by a key
    if (event.inputType === "insertFromPaste" || event.inputType === "insertFromDrop") {
      send(false);
    } else {
      due = setTimeout(() => send(true), PAUSE_MS);
    }
  }

  function offer(length) {
    const [size, limit] = [length, limits.typed].map((chars) => chars.toLocaleString("en"));
    say(`${size} chars, over the ${limit} that are read as you type. Apply it, or save it and open the file.`, true);
  }

  function paste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { selectionStart: from, selectionEnd: to, value } = area;
    if (!limits || value.length - (to - from) + text.length <= limits.typed) return; // the text area takes it
    event.preventDefault();
    clearTimeout(due);
    due = 0;
    kept = value.slice(0, from) + text + value.slice(to);
    offer(kept.length);
  }

  async function read(blob, name, held = false) {
    if (!limits) {
      next();
      early = () => read(blob, name, held);
      return;
    }
    if (blob.size > limits.file) {
      const [size, limit] = [blob.size, limits.file].map((bytes) => bytes.toLocaleString("en"));
      say(`${size} bytes, over the limit of ${limit}. Open it by its path: press Path, or use bench.open(path).`);
      return;
    }
    kept = null;
    const id = next();
    const parts = Math.max(1, Math.ceil(blob.size / limits.piece));
    try {
      for (let part = 0; part < parts && id === n; part += 1) {
        if (parts > 1) say(`Sending ${part + 1} of ${parts}.`);
        const bytes = await blob.slice(part * limits.piece, (part + 1) * limits.piece).arrayBuffer();
        model.send({ file: name, n: id, part, parts, held }, undefined, [bytes]);
      }
      if (id === n) say("");
    } catch {
      say("The file could not be read. Choose it again.");
    }
  }

  function receive(message) {
    if (message.limits) {
      clearTimeout(asking);
      limits = message.limits;
      const waiting = early;
      early = null;
      waiting?.();
    }
    // A text from Python loses against what was typed since.
    if (message.n > n && !due) {
      n = message.n;
      const text = message.set ?? "";
      kept = null;
      if (area.value !== text) area.value = text;
      say(message.held ?? "");
    }
    if ("say" in message) say(message.say);
    if (message.select) {
      const [from, to] = message.select;
      area.focus();
      area.setSelectionRange(from, to);
      const line = area.value.slice(0, from).split("\n").length - 1;
      area.scrollTop = (line - 2) * parseFloat(getComputedStyle(area).lineHeight);
    }
  }

  function act(event) {
    if (due) send(true); // what was typed comes before what is done
    if (event.detail === "paste") {
      area.focus();
      area.select();
    }
    if (event.detail === "open") file.click();
  }

  area.addEventListener("input", input);
  area.addEventListener("paste", paste);
  // Files may be dropped on all of the panel: beside it the browser would leave the page for them.
  function dragover(event) {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  }

  function drop(event) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    const [dropped, ...others] = event.dataTransfer.files;
    const entry = event.dataTransfer.items[0]?.webkitGetAsEntry?.();
    if (others.length) say(`${others.length + 1} files were dropped. One is read at a time: drop one.`);
    else if (entry?.isDirectory) say("A folder was dropped. Open it, and drop one file.");
    else if (dropped) read(dropped, dropped.name);
    else say("Nothing was dropped that can be read. Drop one file.");
  }
  apply.addEventListener("click", () => read(new Blob([kept ?? area.value]), "", kept !== null));
  file.addEventListener("change", () => {
    const [chosen] = file.files;
    file.value = "";
    if (chosen) read(chosen, chosen.name);
  });
  let waiting = requestAnimationFrame(function enter() {
    root = el.closest(".rw");
    if (root) {
      root.addEventListener("rw-act", act);
      panel = el.closest(".rw-conversation") ?? el;
      panel.addEventListener("dragover", dragover);
      panel.addEventListener("drop", drop);
    } else waiting = requestAnimationFrame(enter);
  });
  model.on("msg:custom", receive);
  ask(ASK_MS);
  return () => {
    clearTimeout(asking);
    cancelAnimationFrame(waiting);
    clearTimeout(due);
    root?.removeEventListener("rw-act", act);
    panel?.removeEventListener("dragover", dragover);
    panel?.removeEventListener("drop", drop);
    model.off("msg:custom", receive);
  };
}

export default { render };
