import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An HTTP server of one test, gone with it. Its base URL. */
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

/** An HTTP server that is down at first, and again after each of the next answers; nobody can connect meanwhile. */
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

/** A server that says whatever `talk` writes, HTTP or not. */
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

/** The base URL of a port on which nobody listens: below those that are given out, where another test's server would get it next. */
export const DEAD_URL = 'http://127.0.0.1:1';
