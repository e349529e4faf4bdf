import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { MAX_HEADERS_BYTES } from './transport-failure.ts';

const CONTINUE = Buffer.from('HTTP/1.1 100');
const EMPTY_BUFFER: Buffer = Buffer.alloc(0);
const HEADERS_END = '\r\n\r\n';

/**
 * A connector for connections that skips `100 Continue` wherever a response may begin. RFC 9110 (15.2) requires every
 * client to accept one that it did not request; the library reports it as an invalid response.
 */
export function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (address, done) =>
    connect(address, (...outcome) => {
      const [error, socket] = outcome;
      if (!error) skipContinue(socket);
      done(...outcome);
    });
}

function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket);
  let beginning = true;
  let held = EMPTY_BUFFER;
  socket.write = ((...chunk: Parameters<Socket['write']>) => {
    beginning = true;
    return write(...chunk);
  }) as Socket['write'];
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (!beginning || chunk === null) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (mayBeContinue(held)) {
      const end = held.indexOf(HEADERS_END);
      if (end < 0 && held.length <= MAX_HEADERS_BYTES) return null;
      if (end < 0) break;
      held = held.subarray(end + HEADERS_END.length);
    }
    if (held.length === 0) return null;
    const rest = held;
    held = EMPTY_BUFFER;
    beginning = false;
    return rest;
  };
}

/** Whether these bytes are a `100 Continue` or the beginning of one. */
function mayBeContinue(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, CONTINUE.length);
  return length > 0 && bytes.compare(CONTINUE, 0, length, 0, length) === 0;
}
