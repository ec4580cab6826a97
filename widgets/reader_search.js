// What is sought in a conversation: the rows that hold it, the match that is looked at, and its place in the text.
// Python finds; the browser knows how often each row holds it, and asks where in a row once that is seen.

class Search {
  q = "";
  number = 0; // of the search that was asked for last
  total = 0;
  found = new Map(); // row -> how often
  at = null; // {row, hit}: the match that is looked at

  take(q, total, rows, counts) {
    Object.assign(this, { q, total });
    this.found = new Map(Array.from(rows, (row, at) => [row, counts[at]]));
    if (this.at && this.at.hit >= (this.found.get(this.at.row) ?? 0)) this.at = null;
  }

  // The rows of the list that hold it, in order.
  listed(rows) {
    return [...this.found.keys()].filter((row) => rows.isListed(row));
  }

  // Goes to the next match, or the one before; from a row on where one is given. Gives whether there is one.
  step(rows, direction, from = null) {
    const listed = this.listed(rows);
    if (!listed.length) return false;
    const here = listed.indexOf(this.at?.row);
    const hit = (this.at?.hit ?? 0) + direction;
    if (from !== null || here < 0) this.at = { row: listed.find((row) => row >= from) ?? listed[0], hit: 0 };
    else if (hit >= 0 && hit < this.found.get(this.at.row)) this.at = { row: this.at.row, hit };
    else {
      const row = listed[(here + direction + listed.length) % listed.length];
      this.at = { row, hit: direction > 0 ? 0 : this.found.get(row) - 1 };
    }
    return true;
  }

  words(rows) {
    if (!this.q) return "";
    if (!this.total) return "no match";
    let [before, listed] = [0, 0];
    for (const row of this.listed(rows)) {
      if (this.at && row < this.at.row) before += this.found.get(row);
      listed += this.found.get(row);
    }
    const told = [...this.found.values()].reduce((sum, count) => sum + count, 0);
    const also = told > listed ? `, ${(told - listed).toLocaleString("en")} not listed` : "";
    const more = this.total > told ? `, ${(this.total - told).toLocaleString("en")} further on` : "";
    const here = this.at && listed ? `${(before + this.at.hit + 1).toLocaleString("en")} of ` : "";
    return `${here}${listed.toLocaleString("en")}${also}${more}`;
  }

  // The matches of a row with whether each is the one that is looked at.
  marks(row, hits) {
    if (!this.q || !hits) return [];
    return hits.map(([b, from, to], at) => [b, from, to, this.at?.row === row && this.at.hit === at]);
  }
}
