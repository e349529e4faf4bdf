import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationFault } from './configuration-fault.ts';

/** One webhook delivery as it arrived. */
export interface Delivery {
  /** Path that it was sent to: one for each subscription. */
  path: string;
  at: Date;
  headers: Record<string, string>;
  body: string;
}

const LONGEST_BODY = 1024 * 1024;

/** A server inside the kit that answers every delivery with 200 and keeps it. */
export class Receiver {
  readonly deliveries: Delivery[] = [];
  private readonly server: Server;
  private readonly publicUrl: string;

  private constructor(server: Server, publicUrl: string) {
    this.server = server;
    this.publicUrl = publicUrl;
  }

  /** Listens on `address:port`; `publicUrl` is where the target reaches it, when that is elsewhere. */
  static async open(listen: string, publicUrl?: string): Promise<Receiver> {
    const [, host, port] = /^(.+):(\d+)$/.exec(listen) ?? [];
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          new ConfigurationFault(
            `webhooks.listen: cannot listen on ${listen} (${error.code}); name a free port of this machine`,
          ),
        ),
      );
      server.listen(Number(port), host?.replace(/^\[|\]$/g, ''), resolve);
    });
    const bound = (server.address() as AddressInfo).port;
    const receiver = new Receiver(server, (publicUrl ?? `http://${host}:${bound}`).replace(/\/+$/, ''));
    server.unref();
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= LONGEST_BODY) chunks.push(chunk);
      });
      request.on('end', () => {
        receiver.deliveries.push({
          path: request.url ?? '',
          at: new Date(),
          headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(chunks).toString('utf8'),
        });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    return receiver;
  }

  urlFor(path: string): string {
    return `${this.publicUrl}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
