import { formsOf } from './forms.ts';
import { Masks } from './masks.ts';

/** Shorter values would blank out ordinary words; in credential headers they are masked all the same. */
const SHORTEST_BY_VALUE = 6;

const CREDENTIAL_HEADERS = new Set(['x-api-key', 'x-api-secret', 'authorization', 'cookie', 'set-cookie']);

/** Replaces every secret of the target by a placeholder such as `<seller.secret>`, before anything is kept. */
export class Redactor {
  private readonly values = new Set<string>();
  private readonly masks = new Masks();

  /** Masks a value from now on, and the forms in which servers echo it. The first label for a value stays. */
  conceal(value: string, label: string): void {
    if (value.length < SHORTEST_BY_VALUE || this.values.has(value)) return;
    this.values.add(value);
    for (const form of formsOf(value)) this.masks.add(form, label);
    // A case of its own is a value of its own: what was sent must not look like the right one.
    for (const other of [value.toUpperCase(), value.toLowerCase()]) {
      if (other !== value) this.masks.add(other, `${label} in other case`);
    }
  }

  text(text: string): string {
    return this.masks.apply(text);
  }

  /** The first `length` characters of the masked text. */
  start(text: string, length: number): string {
    return this.masks.start(text, length);
  }

  header(name: string, value: string): string {
    const masked = this.text(value);
    if (!CREDENTIAL_HEADERS.has(name.toLowerCase()) || value === '') return masked;
    return this.masks.has(value) ? masked : `<masked: ${value.length} characters>`;
  }

  /** A copy of a JSON value in which every string, names of members included, is masked. */
  deep<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.deep(item)) as T;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.deep(item)])) as T;
  }
}
