import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../../engine/transport/content-encoding.ts';

const TEXT = '{"error":"Unauthorized"}';
const bytes = Buffer.from(TEXT);
const CAP = 10_000;

describe('a body is taken out of its Content-Encoding', () => {
  test.each<[string | undefined, Buffer]>([
    [undefined, bytes],
    ['identity', bytes],
    ['gzip', gzipSync(bytes)],
    ['X-GZIP', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['gzip, br', brotliCompressSync(gzipSync(bytes))],
    ['identity ,gzip', gzipSync(bytes)],
  ])('%s', (encoding, sent) => {
    expect(decodeBody(sent, encoding, CAP)?.toString()).toBe(TEXT);
  });

  test('what is not known, not so encoded, or encoded too often stays as it is', () => {
    for (const encoding of ['snappy', 'gzip', 'gzip, snappy', 'gzip,gzip,gzip,gzip,gzip'])
      expect(decodeBody(bytes, encoding, CAP)).toBe(bytes);
  });

  test('no bomb goes off, in the inner encoding either', () => {
    const bomb = gzipSync(Buffer.alloc(CAP * 100));
    expect(decodeBody(bomb, 'gzip', CAP)).toBeNull();
    expect(decodeBody(brotliCompressSync(bomb), 'gzip, br', CAP)).toBeNull();
  });
});
