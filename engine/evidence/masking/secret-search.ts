import { encodedBlocks } from './encoded-blocks.ts';
import { mayContainEscapes } from './escape-reader.ts';
import { findEscapedSecrets } from './escaped-secrets.ts';
import { replaceMatches, type SecretMatch } from './match.ts';
import { MultiPatternReplacer } from './multi-pattern-replacer.ts';
import { encodingsOf } from './secret-encodings.ts';
import { unescapedTexts } from './unescaped-text.ts';

/** Encodings on top of each other: two that a server may choose, and the JSON that holds its text. */
const MAX_ENCODING_DEPTH = 3;

/** Finds secrets in a text, however they are encoded there. */
export class SecretSearch {
  private readonly masks = new MultiPatternReplacer();
  /** In bytes, of the shortest secret. */
  private shortest = Number.POSITIVE_INFINITY;

  add(secret: string, label: string): void {
    this.shortest = Math.min(this.shortest, secret.length);
    for (const form of encodingsOf(secret)) this.masks.add(form, label);
  }

  /** Adds a text alone, without what it becomes when it is encoded as a whole. */
  addPlain(text: string, label: string): void {
    this.masks.add(text, label);
  }

  has(text: string): boolean {
    return this.masks.has(text);
  }

  /** The text with every secret replaced by its label. */
  masked(text: string): string {
    return replaceMatches(text, this.hits(text, MAX_ENCODING_DEPTH));
  }

  private hits(text: string, depth: number): SecretMatch[] {
    const plain = this.masks.hits(text);
    if (depth === 0 || text.length < this.shortest) return plain;
    const escaped = mayContainEscapes(text) ? findEscapedSecrets(text, this.masks, depth) : [];
    return [...plain, ...escaped, ...this.inBlocks(text, depth)];
  }

  private inBlocks(text: string, depth: number): SecretMatch[] {
    const hits: SecretMatch[] = [];
    for (const block of encodedBlocks(text, this.shortest)) {
      for (const { start, end, label } of this.hits(block.text, depth - 1)) {
        hits.push({ ...block.rangeOf(start, end), label });
      }
    }
    if (depth === 1 || !mayContainEscapes(text)) return hits;
    for (const { text: decoded, placeOf } of unescapedTexts(text)) {
      for (const { start, end, label } of this.inBlocks(decoded, depth - 1)) {
        hits.push({ start: placeOf(start), end: placeOf(end), label });
      }
    }
    return hits;
  }
}
