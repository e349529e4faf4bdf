import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const DECODERS: Record<string, Decode> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  deflate: (bytes, options) => {
    try {
      return inflateSync(bytes, options);
    } catch (error) {
      if (isTooLarge(error)) throw error;
      // Many servers omit the zlib header.
      return inflateRawSync(bytes, options);
    }
  },
};

/** No real server applies more encodings than this. */
const MAX_ENCODINGS = 4;

/**
 * A body without its Content-Encoding, a list of encodings in the order in which they were applied. The kit requests no
 * encoding, and HTTP then lets a server choose any. `null` if the result would be longer than the cap; a body that
 * cannot be decoded is returned unchanged.
 */
export function decodeBody(bytes: Buffer, encoding: string | undefined, cap: number): Buffer | null {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  const decoders = names.filter((name) => name !== '' && name !== 'identity').map(findDecoder);
  if (bytes.length === 0 || decoders.length > MAX_ENCODINGS) return bytes;
  let content = bytes;
  try {
    for (const decode of decoders.reverse()) {
      if (!decode) return bytes;
      content = decode(content, { maxOutputLength: cap });
    }
  } catch (error) {
    return isTooLarge(error) ? null : bytes;
  }
  return content;
}

function findDecoder(name: string): Decode | undefined {
  return Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}
