/** Shorter values would blank out ordinary words; in credential headers they are masked all the same. */
const SHORTEST_BY_VALUE = 6;

const CREDENTIAL_HEADERS = new Set(['x-api-key', 'x-api-secret', 'authorization', 'cookie', 'set-cookie']);

/** Replaces every secret of the target by a placeholder such as `<seller.secret>`, before anything is kept. */
export class Redactor {
  private readonly placeholders = new Map<string, string>();
  private ordered: [string, string][] = [];

  /** Masks a value from now on, and the forms in which servers echo it. The first label for a value stays. */
  conceal(value: string, label: string): void {
    if (value.length < SHORTEST_BY_VALUE || this.placeholders.has(value)) return;
    const base64 = Buffer.from(value).toString('base64');
    const forms = [
      value,
      encodeURIComponent(value),
      new URLSearchParams({ '': value }).toString().slice(1),
      JSON.stringify(value).slice(1, -1),
      base64,
      base64.replace(/=+$/, ''),
      Buffer.from(value).toString('base64url'),
      Buffer.from(value).toString('hex'),
    ];
    for (const form of forms) if (!this.placeholders.has(form)) this.placeholders.set(form, label);
    // Longest first: a secret that contains another one must not leave its tail behind.
    this.ordered = [...this.placeholders].sort(([a], [b]) => b.length - a.length);
  }

  text(text: string): string {
    let masked = text;
    for (const [value, label] of this.ordered) {
      if (masked.includes(value)) masked = masked.replaceAll(value, `<${label}>`);
    }
    return masked;
  }

  header(name: string, value: string): string {
    const masked = this.text(value);
    if (!CREDENTIAL_HEADERS.has(name.toLowerCase()) || value === '') return masked;
    return this.placeholders.has(value) ? masked : `<masked: ${value.length} characters>`;
  }

  /** A copy of a JSON value in which every string, names of members included, is masked. */
  deep<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.deep(item)) as T;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.deep(item)])) as T;
  }
}
