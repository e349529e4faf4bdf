import { type Hostility, silent } from './hostile-response.ts';

/** Servers that do not send valid HTTP. */
export const notHttp: readonly Hostility[] = [
  {
    what: 'speaks SSH',
    strike: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    ...silent(/the response is not valid HTTP/),
  },
  {
    what: 'sends random bytes',
    strike: (socket) => socket.end(Buffer.from([0, 255, 1, 254, 27, 91, 51, 49, 109, 10, 13, 10, 7])),
    ...silent(/the response is not valid HTTP/),
  },
  {
    what: 'sends headers of a megabyte',
    strike: (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1024 * 1024)}\r\n\r\n`),
    ...silent(/the response headers are longer than 256 KiB/),
  },
];
