import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { describeTarget, type ReferenceTarget } from '../fixtures/target.ts';
import { createReference, type Reference, type ReferenceOptions } from './app.ts';

export interface StartOptions extends ReferenceOptions {
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: any free port. */
  port?: number;
}

export interface RunningReference {
  baseUrl: string;
  /** The content of a target file, with keys that are valid until `close`. */
  target: ReferenceTarget;
  reference: Reference;
  close(): Promise<void>;
}

/** The reference service on a socket, with new fixtures. */
export async function startReference({
  host = '127.0.0.1',
  port = 0,
  ...options
}: StartOptions = {}): Promise<RunningReference> {
  const reference = createReference(options);
  // Keeps the global Request and Response unchanged, because the kit may run in the same process.
  const listener = getRequestListener((request, socket) => reference.fetch(request, socket as HttpBindings), {
    overrideGlobalObjects: false,
  });
  const server = createServer(listener);
  // A client may reuse a connection that has just been closed.
  server.keepAliveTimeout = 60_000;
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;
  const baseUrl = `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
  return {
    baseUrl,
    target: describeTarget(baseUrl, reference.fixtures),
    reference,
    async close() {
      reference.close();
      server.closeAllConnections();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
}
