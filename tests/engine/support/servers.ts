import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts an HTTP server that is closed after the test. Returns its base URL. */
export async function httpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An HTTP server that accepts no connections at first, and again after each of the next responses. */
export async function restartingServer(times: number): Promise<string> {
  let downs = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { connection: 'close' }).end('{}', () => {
      if (downs < times) restart();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const restart = () => {
    downs += 1;
    server.close();
    server.closeAllConnections();
    setTimeout(() => server.listen(port, '127.0.0.1'), 50);
  };
  restart();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** A server that sends what `talk` writes, HTTP or not. */
export async function rawServer(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => talk(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * The base URL of a port without a listener. It is below the ports that the system assigns, so no server of another
 * test gets it.
 */
export const DEAD_URL = 'http://127.0.0.1:1';
