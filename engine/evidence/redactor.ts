import type { MaskedText } from '../model/masked-text.ts';
import { SecretSearch } from './masking/secret-search.ts';

/** Shorter values would mask ordinary words. In credential headers they are masked anyway. */
const MIN_SECRET_LENGTH = 6;

/** In characters. No encoded secret is longer. */
const MAX_ENCODED_LENGTH = 64 * 1024;

const CREDENTIAL_HEADERS = new Set(['x-api-key', 'x-api-secret', 'authorization', 'cookie', 'set-cookie']);

/** Labels, header names and paths repeat throughout a run. */
const MAX_REMEMBERED_LENGTH = 128;
const MAX_REMEMBERED_TEXTS = 10_000;

/** Replaces every secret of the target with a placeholder such as `<seller.secret>` before anything is stored. */
export class Redactor {
  /** The placeholder of each value. */
  private readonly placeholders = new Map<string, string>();
  private readonly credentialHeaders = new Set(CREDENTIAL_HEADERS);
  private readonly secrets = new SecretSearch();
  /** The masked form of short texts. */
  private readonly remembered = new Map<string, MaskedText>();

  /** Masks a value from now on, in any encoding. The first label for a value is kept. */
  addSecret(value: string, label: string): void {
    if (value.length < MIN_SECRET_LENGTH || this.placeholders.has(value)) return;
    this.placeholders.set(value, `<${label}>`);
    this.remembered.clear();
    this.secrets.add(value, label);
    // A value in another case is a different value: the evidence must not show it as the correct one.
    for (const other of [value.toUpperCase(), value.toLowerCase()]) {
      if (other !== value) this.secrets.addPlain(other, `${label} in another case`);
    }
  }

  /** Masks every value of a header with this name. */
  addSecretHeader(name: string): void {
    this.credentialHeaders.add(name.toLowerCase());
  }

  mask(text: string): MaskedText {
    if (text.length > MAX_REMEMBERED_LENGTH) return this.secrets.mask(text) as MaskedText;
    const known = this.remembered.get(text);
    if (known !== undefined) return known;
    const masked = this.secrets.mask(text) as MaskedText;
    if (this.remembered.size >= MAX_REMEMBERED_TEXTS) this.remembered.clear();
    this.remembered.set(text, masked);
    return masked;
  }

  /** The first `length` characters of the masked text. Does not read a long text to its end. */
  maskStart(text: string, length: number): string {
    const ample = 2 * (length + MAX_ENCODED_LENGTH);
    if (text.length > ample) {
      const masked = this.mask(text.slice(0, ample));
      // The end of this part may cut a secret.
      if (masked.length >= length + MAX_ENCODED_LENGTH) return masked.slice(0, length);
    }
    return this.mask(text).slice(0, length);
  }

  /** Masked names and values. Values of credential headers are always masked as a whole. */
  maskHeaders(headers: readonly (readonly [string, string])[]): [string, string][] {
    return headers.map(([name, value]) => [
      this.mask(name),
      this.credentialHeaders.has(name.toLowerCase()) ? this.maskCredential(value) : this.mask(value),
    ]);
  }

  /** A key that was sent in Base64 is another credential than the key, although both have the same search text. */
  private maskCredential(value: string): string {
    const placeholder = this.placeholders.get(value);
    if (placeholder !== undefined) return placeholder;
    return value === '' || this.secrets.has(value) ? this.mask(value) : `<masked: ${value.length} characters>`;
  }

  /** A copy of a JSON value with every string and every member name masked. */
  maskDeep<T>(value: T): T {
    if (typeof value === 'string') return this.mask(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.maskDeep(item)) as T;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.mask(name), this.maskDeep(item)])) as T;
  }
}
