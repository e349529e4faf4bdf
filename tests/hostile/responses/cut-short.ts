import { head } from '../support/hostile-proxy.ts';
import { type Hostility, silent, wrongForAll } from './hostile-response.ts';

const HALF = '{"items":[],"total":0,';
const closed = silent(/the connection closed before the response was complete/);

/** Servers that close the connection in the middle of a response. */
export const cutShort: readonly Hostility[] = [
  {
    what: 'truncates the body',
    strike: (socket) => {
      socket.write(head('200 OK', { 'Content-Length': 100 }));
      socket.end(HALF);
    },
    ...closed,
  },
  {
    what: 'truncates a chunked body',
    strike: (socket) => {
      socket.write(head('200 OK', { 'Transfer-Encoding': 'chunked' }));
      socket.end(`${HALF.length.toString(16)}\r\n${HALF}\r\n`);
    },
    ...closed,
  },
  {
    what: 'resets the connection in the middle of the body',
    strike: (socket) => {
      socket.write(head('200 OK', { 'Content-Length': 100 }) + HALF, () => socket.resetAndDestroy());
    },
    ...closed,
  },
  { what: 'closes the connection at once', strike: (socket) => socket.destroy(), ...closed },
  {
    what: 'announces fewer bytes than it sends',
    strike: (socket) => socket.end(`${head('200 OK', { 'Content-Length': 5 })}${HALF}"page":0}`),
    ...wrongForAll(/the body of the response to \w+ \S+ is not well-formed JSON/),
  },
];
