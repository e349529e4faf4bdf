import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
import { HEADERS_CAP_BYTES } from './transport-failure.ts';

const CONTINUE = Buffer.from('HTTP/1.1 100');
const NOTHING: Buffer = Buffer.alloc(0);
const END_OF_HEAD = '\r\n\r\n';

/**
 * A connector for connections on which `100 Continue` is passed over wherever an answer may begin. RFC 9110 (15.2) wants every
 * client to read one that it never asked for; the library takes it for an answer gone wrong.
 */
export function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = connectorOf(options);
  return (address, done) =>
    connect(address, (...outcome) => {
      const [error, socket] = outcome;
      if (!error) passOverContinue(socket);
      done(...outcome);
    });
}

function passOverContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket);
  let beginning = true;
  let held = NOTHING;
  socket.write = ((...chunk: Parameters<Socket['write']>) => {
    beginning = true;
    return write(...chunk);
  }) as Socket['write'];
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (!beginning || chunk === null) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (begins(held)) {
      const end = held.indexOf(END_OF_HEAD);
      if (end < 0 && held.length <= HEADERS_CAP_BYTES) return null;
      if (end < 0) break;
      held = held.subarray(end + END_OF_HEAD.length);
    }
    if (held.length === 0) return null;
    const rest = held;
    held = NOTHING;
    beginning = false;
    return rest;
  };
}

/** Whether these bytes are a `100 Continue`, or so few that they may become one. */
function begins(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, CONTINUE.length);
  return length > 0 && bytes.compare(CONTINUE, 0, length, 0, length) === 0;
}
