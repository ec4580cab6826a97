// What the rows say, as far as it is there: contents come by id as they are about to be seen, long texts piece by piece.
// What is opened of a row is kept beside them, also while the row itself is far away.

const KEPT = 1_000; // rows whose contents are kept

class Contents {
  all = new Map(); // by id: {parts, more, raw, hits}
  states = new Map(); // by id: {open: Map of part -> [from, to], raw}
  isRaw = false;

  // `ask` asks by a name until `answered`; `due` says that a row has to be drawn anew.
  constructor(rows, { ask, answered, due }) {
    Object.assign(this, { rows, ask, answered, due });
  }

  of(row) {
    return this.all.get(this.rows.ids[row]);
  }

  parts(row) {
    return this.of(row)?.parts ?? [];
  }

  state(row) {
    const id = this.rows.ids[row];
    if (!this.states.has(id)) this.states.set(id, { open: new Map(), raw: null });
    return this.states.get(id);
  }

  open(row) {
    return this.state(row).open;
  }

  isRawRow(row) {
    return this.state(row).raw ?? this.isRaw;
  }

  key(part) {
    return `${part.b}:${part.from}`;
  }

  // Opens a part as far as this many characters; null folds it.
  unfold(row, part, most) {
    if (most) this.range(row, part, part.from, part.from + most);
    else this.open(row).delete(this.key(part));
  }

  range(row, part, from, to) {
    this.open(row).set(this.key(part), [Math.max(part.from, from), Math.min(part.to, to)]);
  }

  // Another row has the place of one before: what is open in it stays so.
  rename(before, now) {
    if (this.states.has(before) && !this.states.has(now)) this.states.set(now, this.states.get(before));
  }

  // What was shown of an earlier paste, or found of an earlier search, is asked for again.
  forget(name) {
    for (const content of this.all.values()) content[name] = undefined;
  }

  loaded(part) {
    return { ...part, start: part.from, text: part.head ?? "" };
  }

  takeRows(made) {
    for (const one of made) {
      this.all.delete(one.id);
      this.all.set(one.id, { ...one, end: one.first + BLOCKS, parts: one.parts.map(this.loaded) });
      this.due(one.id);
    }
    this.answered("rows");
  }

  takeBlocks({ id, first, more, parts }) {
    const content = this.all.get(id);
    this.answered(`blocks ${id}`);
    if (content?.end !== first) return;
    content.end += BLOCKS;
    content.more = more;
    content.parts.push(...parts.map(this.loaded));
    this.due(id);
  }

  takePiece({ id, b, from, text }) {
    const content = this.all.get(id);
    this.answered(`piece ${id} ${b}`);
    const fits = (one) => one && (from === one.start + size(one.text) || from + size(text) === one.start);
    const part = b < 0 ? content?.raw : content?.parts.find((one) => one.b === b && fits(one));
    if (!fits(part)) return;
    if (from < part.start) [part.start, part.text] = [from, text + part.text];
    else part.text += text;
    this.due(id);
  }

  takeRaw(made) {
    this.answered("raw");
    for (const [id, length, says] of made) {
      const content = this.all.get(id);
      if (!content) continue;
      content.raw = this.loaded({ kind: "raw", b: -1, from: 0, to: length, says });
      this.states.get(id)?.open.set(this.key(content.raw), [0, Math.min(length, 4_000)]);
      this.due(id);
    }
  }

  takeHits(made) {
    for (const [id, flat] of made) {
      const content = this.all.get(id);
      if (!content) continue;
      content.hits = [];
      for (let at = 0; at < flat.length; at += 3) content.hits.push(flat.slice(at, at + 3));
      this.due(id);
    }
  }

  // Asks for what is seen and not there yet; `isSought` tells whether a row holds what is sought. `kept` are ids.
  request(seen, isSought, kept) {
    const missing = seen.filter((row) => !this.of(row));
    if (missing.length) this.ask("rows", { rows: missing });
    const there = seen.filter((row) => this.of(row));
    for (const row of there) {
      const content = this.of(row);
      this.all.delete(content.id);
      this.all.set(content.id, content); // the last that is thrown away
      for (const part of [...content.parts, content.raw]) if (part) this.fetch(row, content.id, part);
    }
    const unpasted = there.filter((row) => this.isRawRow(row) && !this.of(row).raw);
    if (unpasted.length) this.ask("raw", { raw: unpasted });
    const unmarked = there.filter((row) => isSought(row) && !this.of(row).hits);
    if (unmarked.length) this.ask("hits", { hits: unmarked });
    for (const [map, most] of [[this.all, KEPT], [this.states, 20 * KEPT]]) {
      for (const id of map.keys()) {
        if (map.size <= most) break;
        if (!kept.has(id)) map.delete(id);
      }
    }
  }

  fetch(row, id, part) {
    const wanted = this.open(row).get(this.key(part));
    if (!wanted) return;
    const [from, to] = [Math.max(part.from, wanted[0]), Math.min(part.to, wanted[1])];
    if (from >= part.start + size(part.text) || to <= part.start) [part.start, part.text] = [from, ""];
    const end = part.start + size(part.text);
    const send = (...range) => this.ask(`piece ${id} ${part.b}`, { piece: [row, part.b, ...range] });
    if (from < part.start) send(Math.max(from, part.start - PIECE), part.start);
    else if (to > end) send(end, Math.min(to, end + PIECE));
  }
}
