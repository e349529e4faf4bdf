/** The texts with a common prefix: a range of the sorted list, and the length of the prefix. */
export interface PrefixRange {
  from: number;
  to: number;
  length: number;
}

/** Sorted texts that are searched character by character. */
export class SortedTexts {
  private texts: string[] = [];
  private isSorted = true;

  add(text: string): void {
    this.texts.push(text);
    this.isSorted = false;
  }

  fullRange(): PrefixRange {
    if (!this.isSorted) this.texts.sort((a, b) => (a < b ? -1 : 1));
    this.isSorted = true;
    return { from: 0, to: this.texts.length, length: 0 };
  }

  /** The texts that continue with these characters; null if there are none. */
  narrow(alike: PrefixRange, characters: string): PrefixRange | null {
    let { from, to, length } = alike;
    for (let at = 0; at < characters.length; at += 1, length += 1) {
      const code = characters.charCodeAt(at);
      from = this.lowerBound(code, from, to, length);
      to = this.lowerBound(code + 1, from, to, length);
      if (from === to) return null;
    }
    return { from, to, length };
  }

  /** The text that ends here, if there is one. */
  exactText({ from, length }: PrefixRange): string | undefined {
    const text = this.texts[from];
    return text?.length === length ? text : undefined;
  }

  private lowerBound(code: number, from: number, to: number, place: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      // A text that ends before this index comes first.
      const here = this.texts[middle]?.charCodeAt(place) ?? Number.NaN;
      if (here >= code) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
