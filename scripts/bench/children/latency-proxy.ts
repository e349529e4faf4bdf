import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { reportReady } from './ready-message.ts';

// A proxy that delays. Arguments: the URL of the server behind it, and the round-trip time in milliseconds.
const [upstream = '', latency = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(upstream);
const oneWayMs = Number(latency) / 2;

const server = createServer({ noDelay: true }, (near) => {
  const far = createConnection({ host: hostname, port: Number(port), noDelay: true });
  forwardDelayed(near, far);
  forwardDelayed(far, near);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
reportReady({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });

/** Timers of equal length fire in the order of their creation, so the order of data is kept. */
function forwardDelayed(from: Socket, to: Socket): void {
  const later = (act: () => void) => setTimeout(() => !to.destroyed && act(), oneWayMs);
  from.on('data', (bytes) => later(() => to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => later(() => to.destroy()));
}
