// The window on a long list: the page holds the rows that are seen and a few more, each at its own height.
// Heights are measured once a row is drawn, and what the user looks at stays where it is while others turn out higher.

const BEYOND = 500; // pixels above and below the window that are drawn too
const TALL = 15_000_000; // pixels: browsers cannot scroll much further

class ListWindow {
  mounted = new Map(); // by id: the row's element
  aim = null; // {row, align, find}: what is to be in view until the user scrolls
  drawing = 0;

  // `build` fills an element with its row and gives false where that has to wait; `pinned` are rows that have to stay.
  constructor(rows, scroll, list, head, { build, pinned, drawn }) {
    Object.assign(this, { rows, scroll, list, head, build, pinned, drawn });
    const drop = () => (this.aim = null);
    for (const kind of ["wheel", "pointerdown", "touchstart"]) scroll.addEventListener(kind, drop, { passive: true });
    scroll.addEventListener("scroll", () => this.draw(), { passive: true });
    let width = 0;
    this.room = 0; // pixels of the window
    this.top = 0;
    this.resized = new ResizeObserver(() => {
      this.room = Math.max(0, scroll.clientHeight - head.offsetHeight);
      if (scroll.clientWidth !== width) for (const node of this.mounted.values()) node.isNew = true;
      width = scroll.clientWidth;
      rows.width = Math.max(20, (width - 220) / 6.4);
      this.draw();
    });
    for (const node of [scroll, head]) this.resized.observe(node);
  }

  // Rows beyond what a browser can scroll are reached by larger steps.
  get ratio() {
    const { total } = this.rows.sums;
    return total > TALL ? (total - this.room) / (TALL - this.room) : 1;
  }

  // Where the window begins. It is read once for each drawing and written at its end: both in turns make the page slow.
  look() {
    this.seen = this.scroll.scrollTop;
    this.top = this.seen * this.ratio;
  }

  go() {
    const height = Math.min(this.rows.sums.total, TALL);
    if (height !== this.height) this.list.style.height = `${height}px`;
    this.height = height;
    const wanted = this.clamped(this.top) / this.ratio;
    if (Math.abs(this.seen - wanted) < 1) return;
    this.scroll.scrollTop = wanted;
    this.seen = wanted;
  }

  clamped(top) {
    return Math.max(0, Math.min(top, this.rows.sums.total - this.room));
  }

  // A row and how far it is scrolled out: the one that is aimed at, else the one at the top; to be kept there.
  anchor() {
    const { list, sums } = this.rows;
    if (!list.length) return null;
    const row = this.aim && this.rows.isListed(this.aim.row) ? this.aim.row : list[sums.find(this.top)];
    return { row, beyond: this.top - this.rows.begins(row), isEnd: this.top > 0 && this.top + this.room >= sums.total - 1 };
  }

  keep(anchor, row = anchor?.row) {
    if (anchor && this.rows.list.length) this.top = this.clamped(this.rows.begins(row) + anchor.beyond);
  }

  draw() {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      this.drawNow();
    });
  }

  drawNow() {
    const { rows } = this;
    if (!this.room) return;
    this.look();
    for (let pass = 0; pass < 8; pass += 1) {
      if (this.aim) this.settle();
      const anchor = this.anchor();
      this.mount();
      if (!this.measure()) break;
      // Where the end is seen, it stays seen.
      if (anchor?.isEnd && !this.aim) this.top = this.clamped(rows.sums.total);
      else this.keep(anchor);
    }
    this.go();
    const shift = rows.sums.total > TALL ? this.seen - this.top : 0;
    for (const node of this.mounted.values()) {
      const at = Math.round(rows.begins(node.row) + shift);
      if (node.at !== at) node.style.top = `${at}px`;
      node.at = at;
    }
    this.drawn([...this.mounted.values()].map((node) => node.row));
  }

  mount() {
    const { list, sums, ids } = this.rows;
    const wanted = new Set();
    if (list.length) {
      const last = sums.find(this.top + this.room + BEYOND);
      for (let at = sums.find(this.top - BEYOND); at <= last; at += 1) wanted.add(list[at]);
      for (const row of this.pinned()) if (row >= 0 && this.rows.isListed(row)) wanted.add(row);
    }
    const kept = new Set([...wanted].map((row) => ids[row]));
    for (const [id, node] of this.mounted) if (!kept.has(id)) this.remove(id, node);
    let after = this.list.firstChild;
    for (const row of [...wanted].sort((a, b) => a - b)) {
      const node = this.mounted.get(ids[row]) ?? this.make(ids[row]);
      if (node === after) after = after.nextSibling;
      else this.list.insertBefore(node, after);
      if (node.row !== row || node.of !== list) this.name(node, row);
      if (node.isDue && this.build(node, row) !== false) {
        node.isDue = false;
        node.isNew = true;
      }
    }
  }

  make(id) {
    const node = document.createElement("li");
    node.setAttribute("role", "listitem");
    node.isDue = true;
    this.mounted.set(id, node);
    return node;
  }

  name(node, row) {
    const { list } = this.rows;
    Object.assign(node, { row, of: list });
    node.dataset.k = `m${row}`;
    node.setAttribute("aria-setsize", list.length);
    node.setAttribute("aria-posinset", this.rows.place(row) + 1);
    node.isDue = true;
  }

  remove(id, node) {
    // Keys keep working: the focus of what goes away stays in the bench.
    if (node.contains(document.activeElement)) this.list.closest(".rw")?.focus({ preventScroll: true });
    node.remove();
    this.mounted.delete(id);
  }

  measure() {
    const fresh = [...this.mounted.values()].filter((node) => node.isNew);
    const heights = fresh.map((node) => Math.ceil(node.getBoundingClientRect().height));
    let grew = false;
    fresh.forEach((node, at) => {
      node.isNew = false;
      grew = this.rows.measure(node.row, heights[at]) || grew;
    });
    return grew;
  }

  // Brings what is aimed at into view; `find` gives an element in its row.
  settle() {
    const { rows, room } = this;
    const { row, align, find } = this.aim;
    if (!rows.isListed(row)) {
      this.aim = null;
      return;
    }
    const [from, height] = [rows.begins(row), rows.sums.heights[rows.place(row)]];
    const node = this.mounted.get(rows.ids[row]);
    const inside = node && find?.(node);
    if (inside) {
      const at = from + inside.getBoundingClientRect().top - node.getBoundingClientRect().top;
      if (at < this.top || at + 20 > this.top + room) this.top = this.clamped(at - room / 3);
    } else if (align === "start" || from < this.top) this.top = this.clamped(from);
    else if (from + height > this.top + room) this.top = Math.min(from, from + height - room);
  }

  node(row) {
    return this.mounted.get(this.rows.ids[row]);
  }

  // What a row shows has changed, or what all of them do.
  refresh(row) {
    const node = this.node(row);
    if (node) node.isDue = true;
    this.draw();
  }

  renew() {
    for (const node of this.mounted.values()) node.isDue = true;
    this.draw();
  }

  // The same row under a new id: its element stays, and with it the focus.
  rename(before, now) {
    const node = this.mounted.get(before);
    if (!node || this.mounted.has(now)) return;
    this.mounted.delete(before);
    this.mounted.set(now, node);
    node.isDue = true;
  }

  leave() {
    cancelAnimationFrame(this.drawing);
    this.resized.disconnect();
  }
}
