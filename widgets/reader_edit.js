// The form that edits a block in its row. What was typed stays until the user saves it or leaves it.

class Edit {
  pieces = []; // of the text, until all are there
  was = null; // the text as it is in the conversation
  isSent = false;
  isRefused = false; // it cannot be edited here, and says why

  constructor({ id, row, b, says, isMono, save, leave }) {
    Object.assign(this, { id, row, b });
    this.area = tag("textarea", isMono ? "call" : "");
    Object.assign(this.area, { spellcheck: false, disabled: true });
    this.area.setAttribute("aria-label", says);
    this.note = tag("span", "dim t0", "Ctrl or Cmd Enter saves, Esc leaves.");
    this.note.setAttribute("role", "status");
    this.saves = button("Save", "small primary", save);
    this.saves.disabled = true;
    this.foot = tag("div", "mores", this.saves, button("Cancel", "small", leave), this.note);
    this.node = tag("div", "edit", tag("div", "t0 dim", says), this.area, this.foot);
    this.node.addEventListener("keydown", (event) => {
      const isControl = event.ctrlKey || event.metaKey;
      if (event.key === "Escape") leave();
      else if (event.key === "Enter" && isControl) {
        if (!this.saves.disabled) save();
      } else {
        if (!isControl) event.stopPropagation(); // what is typed is text; saving the notebook stays Lab's
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
  }

  get isChanged() {
    return this.was !== null && this.area.value !== this.shown;
  }

  // A piece of the text to edit, or the reason why it is not edited here.
  take({ part, parts, text, says }) {
    if (this.was !== null) return;
    if (says) {
      this.note.textContent = says;
      this.isRefused = true;
      return;
    }
    this.pieces[part] = text;
    if (this.pieces.length < parts || this.pieces.includes(undefined)) return;
    this.was = this.pieces.join("");
    this.area.value = this.was;
    this.shown = this.area.value; // a text area has line feeds alone
    this.isCrlf = this.was.includes("\r") && this.shown.replaceAll("\n", "\r\n") === this.was;
    if (this.was.includes("\r") && !this.isCrlf) this.note.textContent += " Line ends become line feeds.";
    this.area.disabled = this.saves.disabled = false;
    this.area.rows = Math.min(18, Math.max(3, this.shown.split("\n").length + 1));
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(0, 0);
  }

  get text() {
    return this.isCrlf ? this.area.value.replaceAll("\n", "\r\n") : this.area.value;
  }

  // Does something that may take the form out of the page for a moment; focus and caret stay.
  held(work) {
    const focused = this.node.contains(document.activeElement) ? document.activeElement : null;
    const [from, to, top] = [this.area.selectionStart, this.area.selectionEnd, this.area.scrollTop];
    work();
    this.area.scrollTop = top;
    if (!focused) return;
    focused.focus({ preventScroll: true });
    if (focused === this.area) this.area.setSelectionRange(from, to);
  }
}
