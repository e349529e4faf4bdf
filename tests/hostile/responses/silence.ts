import { head } from '../support/hostile-proxy.ts';
import { type Hostility, silent } from './hostile-response.ts';

// Long enough for a normal response on a busy machine.
const late = { requestTimeoutMs: 3_000, ...silent(/no complete response within 3000 ms/) };

/** Servers that stop sending. */
export const silence: readonly Hostility[] = [
  { what: 'hangs before the headers', strike: () => {}, ...late },
  { what: 'hangs inside the headers', strike: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty'), ...late },
  {
    what: 'hangs after the headers',
    strike: (socket) => socket.write(head('200 OK', { 'Content-Length': 100 })),
    ...late,
  },
  {
    what: 'sends one byte per second',
    strike: (socket) => {
      socket.write(head('200 OK', { 'Content-Length': 100_000 }));
      const drip = setInterval(() => socket.write(' '), 1000);
      socket.once('close', () => clearInterval(drip));
    },
    ...late,
  },
  {
    what: 'announces a body of 1 GB and sends none of it',
    strike: (socket) => socket.write(head('200 OK', { 'Content-Length': 1024 ** 3 })),
    ...late,
  },
];
