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
      if (tooLarge(error)) throw error;
      // Many servers leave the wrapper of the format out.
      return inflateRawSync(bytes, options);
    }
  },
};

/**
 * A body without its Content-Encoding. The kit asks for none, and HTTP then lets a server choose any. `null` when it would
 * be longer than the cap; what cannot be decoded stays as it is.
 */
export function decoded(bytes: Buffer, encoding: string | undefined, cap: number): Buffer | null {
  const name = encoding?.trim().toLowerCase() ?? '';
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!decode || bytes.length === 0) return bytes;
  try {
    return decode(bytes, { maxOutputLength: cap });
  } catch (error) {
    return tooLarge(error) ? null : bytes;
  }
}

function tooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}
