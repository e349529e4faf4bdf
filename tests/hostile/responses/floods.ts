import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { answering, head } from '../support/hostile-proxy.ts';
import { type Hostility, unusable } from './hostile-response.ts';

const CHUNK = Buffer.alloc(256 * 1024, ' ');
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

function pour(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(CHUNK));
  };
  socket.on('drain', more);
  more();
}

const tooLong = unusable(/the response body of \w+ \S+ is longer than 8 MiB; the kit stops reading there/);

/** Servers that never stop sending. */
export const floods: readonly Hostility[] = [
  {
    what: 'sends an endless body',
    strike: (socket) => {
      socket.write(head('200 OK'));
      pour(socket);
    },
    ...tooLong,
  },
  {
    what: 'sends a body of 1 GB',
    strike: (socket) => {
      socket.write(head('200 OK', { 'Content-Length': 1024 ** 3 }));
      pour(socket);
    },
    ...tooLong,
  },
  {
    what: 'sends a gzip bomb',
    strike: answering('200 OK', BOMB, { 'Content-Encoding': 'gzip' }),
    ...tooLong,
  },
];
