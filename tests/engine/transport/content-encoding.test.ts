import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../../engine/transport/content-encoding.ts';

const TEXT = '{"error":"Unauthorized"}';
const bytes = Buffer.from(TEXT);
const CAP = 10_000;

describe('a body is decoded from its Content-Encoding', () => {
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

  test('stays encoded if the encoding is unknown, wrong or applied too often', () => {
    for (const encoding of ['snappy', 'gzip', 'gzip, snappy', 'gzip,gzip,gzip,gzip,gzip'])
      expect(decodeBody(bytes, encoding, CAP)).toBe(bytes);
  });

  test('is limited in size, in the inner encoding as well', () => {
    const bomb = gzipSync(Buffer.alloc(CAP * 100));
    expect(decodeBody(bomb, 'gzip', CAP)).toBeNull();
    expect(decodeBody(brotliCompressSync(bomb), 'gzip, br', CAP)).toBeNull();
  });
});
