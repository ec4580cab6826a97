// The rows of a conversation as the reader knows them without their contents, and where each stands in the list.
// The reader's modules are put one after the other by widgets/reader.py; this one comes first.

const KINDS = ["system", "developer", "user", "assistant", "tool", "result"];
const FLAG = { failed: 1, calls: 2, problems: 4, instruction: 8, attempt: 16, alternative: 32, task: 64, edited: 128 };
const FILTERS = ["all", "failed", "calls", "problems"];
const ASSISTANT = 3;
const RESULT = 5;

// Heights and their sums: where a row begins, and which one stands at a height, each in a few steps.
class Sums {
  constructor(heights) {
    this.heights = heights;
    this.tree = new Float64Array(heights.length + 1); // each holds the sum of as many as its lowest bit says
    for (let at = 1; at <= heights.length; at += 1) {
      this.tree[at] += heights[at - 1];
      const above = at + (at & -at);
      if (above <= heights.length) this.tree[above] += this.tree[at];
    }
    this.total = this.before(heights.length);
  }

  before(place) {
    let sum = 0;
    for (let at = place; at > 0; at -= at & -at) sum += this.tree[at];
    return sum;
  }

  set(place, height) {
    const grown = height - this.heights[place];
    this.heights[place] = height;
    this.total += grown;
    for (let at = place + 1; at < this.tree.length; at += at & -at) this.tree[at] += grown;
  }

  // The place at this height; the nearest one where there is none.
  find(height) {
    let at = 0;
    let left = height;
    for (let step = 1 << (31 - Math.clz32(this.tree.length)); step; step >>= 1) {
      if (at + step < this.tree.length && this.tree[at + step] <= left) {
        at += step;
        left -= this.tree[at];
      }
    }
    return Math.max(0, Math.min(at, this.heights.length - 1));
  }
}

class Rows {
  ids = new Uint32Array();
  chars = new Uint32Array();
  kinds = new Uint8Array();
  flags = new Uint8Array();
  turns = new Uint32Array(); // number of the assistant's turn, for its messages
  measured = new Float32Array(); // heights; 0 where none was measured
  list = new Uint32Array(); // the rows that pass the filter
  sums = new Sums(new Float32Array()); // and their heights
  filter = "all";
  instructions = 0;
  width = 50; // characters of a line, about

  get count() {
    return this.ids.length;
  }

  // Rows in the place of others. Gives where they really differ, and where a row of before is now; null for nowhere.
  splice(first, goes, came) {
    const { ids } = this;
    let [at, gone, from, to] = [first, Math.min(goes, ids.length - first), 0, came.ids.length];
    while (gone && from < to && ids[at] === came.ids[from]) [at, gone, from] = [at + 1, gone - 1, from + 1];
    while (gone && from < to && ids[at + gone - 1] === came.ids[to - 1]) [gone, to] = [gone - 1, to - 1];
    const come = to - from;
    if (!gone && !come) return null;
    const renamed = gone === come ? Array.from({ length: come }, (_, i) => [ids[at + i], came.ids[from + i]]) : [];
    for (const name of ["ids", "chars", "kinds", "flags", "measured"]) {
      const before = this[name];
      const made = new before.constructor(before.length + come - gone);
      made.set(before.subarray(0, at));
      if (came[name]) made.set(came[name].subarray(from, to), at);
      else if (gone === come) made.set(before.subarray(at, at + gone), at);
      made.set(before.subarray(at + gone), at + come);
      this[name] = made;
    }
    let turn = 0;
    this.turns = Uint32Array.from(this.kinds, (kind, row) => {
      const counts = kind === ASSISTANT && !(this.flags[row] & (FLAG.instruction | FLAG.alternative));
      return counts ? (turn += 1) : 0;
    });
    this.choose();
    const now = (row) => {
      if (row < at) return row;
      const moved = row >= at + gone ? row + come - gone : at + Math.min(row - at, come - 1);
      return Math.max(Math.min(row, 0), Math.min(moved, this.count - 1));
    };
    return { at, gone, come, renamed, now };
  }

  choose(filter = this.filter) {
    this.filter = filter;
    const bit = FLAG[filter];
    const all = Uint32Array.from(this.ids, (_, row) => row);
    this.list = bit ? all.filter((row) => this.flags[row] & bit) : all;
    this.sums = new Sums(Float32Array.from(this.list, (row) => this.measured[row] || this.guess(row)));
  }

  // About how high a row is that was not drawn yet.
  guess(row) {
    const [kind, flag, chars] = [this.kinds[row], this.flags[row], this.chars[row]];
    const most = kind < 2 ? 160 : kind === 2 ? 900 : 480;
    let lines = kind === RESULT ? 1 : Math.ceil(Math.min(chars, most) / this.width) + (chars > most);
    if (flag & FLAG.calls) lines += 1;
    return 9 + 17 * Math.max(1, lines) + (flag & FLAG.failed ? 16 : 0);
  }

  measure(row, height) {
    this.measured[row] = height;
    const place = this.place(row);
    if (Math.abs(this.sums.heights[place] - height) < 0.5) return false;
    this.sums.set(place, height);
    return true;
  }

  // Where a row stands in the list; the nearest place for one that does not.
  place(row) {
    let [from, to] = [0, this.list.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.list[middle] < row) from = middle + 1;
      else to = middle;
    }
    return Math.max(0, Math.min(from, this.list.length - 1));
  }

  begins(row) {
    return this.sums.before(this.place(row));
  }

  isListed(row) {
    return this.list.length > 0 && this.list[this.place(row)] === row;
  }

  has(row, flag) {
    return Boolean(this.flags[row] & flag);
  }

  number(row) {
    if (row < this.instructions || this.has(row, FLAG.alternative)) return "\u2013";
    return (row - this.instructions + 1).toLocaleString("en");
  }

  words(row) {
    if (this.has(row, FLAG.instruction)) return "instruction";
    return this.turns[row] ? `turn ${this.turns[row].toLocaleString("en")}` : "";
  }
}
