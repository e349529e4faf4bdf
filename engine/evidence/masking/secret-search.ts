import { encodedBlocks } from './encoded-blocks.ts';
import { mayContainEscapes } from './escape-reader.ts';
import { findEscapedSecrets } from './escaped-secrets.ts';
import { replaceMatches, type SecretMatch } from './match.ts';
import { MultiPatternReplacer } from './multi-pattern-replacer.ts';
import { encodingsOf } from './secret-encodings.ts';
import { unescapedTexts } from './unescaped-text.ts';

/** Number of nested encodings: two that a server may choose, and the JSON around its text. */
const MAX_ENCODING_DEPTH = 3;

/** Finds secrets in a text in any encoding. */
export class SecretSearch {
  private readonly replacer = new MultiPatternReplacer();
  /** Length of the shortest secret, in bytes. */
  private minSecretBytes = Number.POSITIVE_INFINITY;

  add(secret: string, label: string): void {
    this.minSecretBytes = Math.min(this.minSecretBytes, secret.length);
    for (const form of encodingsOf(secret)) this.replacer.add(form, label);
  }

  /** Adds a text without its encodings as a whole. */
  addPlain(text: string, label: string): void {
    this.replacer.add(text, label);
  }

  has(text: string): boolean {
    return this.replacer.has(text);
  }

  /** The text with every secret replaced by its label. */
  mask(text: string): string {
    return replaceMatches(text, this.findMatches(text, MAX_ENCODING_DEPTH));
  }

  private findMatches(text: string, depth: number): SecretMatch[] {
    const plain = this.replacer.findMatches(text);
    if (depth === 0 || text.length < this.minSecretBytes) return plain;
    const escaped = mayContainEscapes(text) ? findEscapedSecrets(text, this.replacer, depth) : [];
    return [...plain, ...escaped, ...this.findInBlocks(text, depth)];
  }

  private findInBlocks(text: string, depth: number): SecretMatch[] {
    const hits: SecretMatch[] = [];
    for (const block of encodedBlocks(text, this.minSecretBytes)) {
      for (const { start, end, label } of this.findMatches(block.text, depth - 1)) {
        hits.push({ ...block.rangeOf(start, end), label });
      }
    }
    if (depth === 1 || !mayContainEscapes(text)) return hits;
    for (const { text: decoded, originalIndex } of unescapedTexts(text)) {
      for (const { start, end, label } of this.findInBlocks(decoded, depth - 1)) {
        hits.push({ start: originalIndex(start), end: originalIndex(end), label });
      }
    }
    return hits;
  }
}
