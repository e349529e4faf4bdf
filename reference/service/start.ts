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
  /** A target file's content, with keys that hold until `close`. */
  target: ReferenceTarget;
  reference: Reference;
  close(): Promise<void>;
}

/** The reference service on a socket, in a freshly seeded world. */
export async function startReference({
  host = '127.0.0.1',
  port = 0,
  ...options
}: StartOptions = {}): Promise<RunningReference> {
  const reference = createReference(options);
  // The kit may run in this process, and its own Request and Response must stay what they are.
  const listener = getRequestListener((request, socket) => reference.fetch(request, socket as HttpBindings), {
    overrideGlobalObjects: false,
  });
  const server = createServer(listener);
  // A client that reuses a connection must not meet one that was closed a moment ago.
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
