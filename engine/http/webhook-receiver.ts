import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from '../model/configuration-error.ts';
import { decodeBody } from '../transport/content-encoding.ts';
import { isDelivery, type ReceivedRequest, type VerificationReply, verificationReply } from './webhook-challenge.ts';

/** One webhook delivery as it arrived. */
export interface Delivery {
  /** Path of the delivery after the mark of the run. Each subscription has its own. */
  path: string;
  at: Date;
  headers: Record<string, string>;
  body: string;
}

const SELF_TEST_PATH = '/self-test/';
/** The first path segment of every address that a run subscribes. It distinguishes the deliveries of different runs. */
export function receiverPathSegment(runId: string): string {
  return `conformance-${runId.slice(0, 8)}`;
}

const RECEIVER_PATH = /\/conformance-[0-9a-f]{8}\//;

/** Whether a run of the kit has subscribed this address. */
export function isReceiverUrl(url: string): boolean {
  return URL.canParse(url) && RECEIVER_PATH.test(new URL(url).pathname);
}

const MAX_DELIVERY_BYTES = 1024 * 1024;

/** The body as text. "Payload shape: not shown", so a delivery may be compressed. */
function decodedText(bytes: Buffer, encoding: string | undefined): string {
  return (decodeBody(bytes, encoding, MAX_DELIVERY_BYTES) ?? bytes).toString('utf8');
}

/**
 * A server inside the kit that returns 200 to every delivery and stores it. It also answers verification requests for
 * its addresses.
 */
export class WebhookReceiver {
  readonly deliveries: Delivery[] = [];
  private selfTest: Promise<boolean> | null = null;
  /** Why no delivery can arrive, if known. */
  unreachableReason: string | null = null;
  /** Tests again whether requests to the public address arrive. */
  checkReachability: () => Promise<string | null> = async () => this.unreachableReason;
  private readonly server: Server;
  private readonly publicUrl: string;
  private readonly pathSegment: string;

  private constructor(server: Server, publicUrl: string, mark: string) {
    this.server = server;
    this.publicUrl = publicUrl;
    this.pathSegment = mark;
  }

  /**
   * Listens on `address:port`; `publicUrl` is the URL at which the target reaches it, if that differs. Deliveries to
   * the mark of another run get a 200 and are ignored.
   */
  static async open(listen: string, publicUrl: string | undefined, mark: string): Promise<WebhookReceiver> {
    const [, host, port] = /^(.+):(\d+)$/.exec(listen) ?? [];
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          new ConfigurationError(
            `webhooks.listen: cannot listen on ${listen} (${error.code}); write a free port of this machine`,
          ),
        ),
      );
      server.listen(Number(port), host?.replace(/^\[|\]$/g, ''), resolve);
    });
    const bound = (server.address() as AddressInfo).port;
    const base = (publicUrl ?? `http://${host}:${bound}`).replace(/\/+$/, '');
    const receiver = new WebhookReceiver(server, base, mark);
    server.unref();
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAX_DELIVERY_BYTES) chunks.push(chunk);
      });
      request.on('end', () => {
        const { type, body } = receiver.receive({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
          body: decodedText(Buffer.concat(chunks), request.headers['content-encoding']),
        });
        response.writeHead(200, { 'content-type': type }).end(body);
      });
    });
    return receiver;
  }

  private receive(request: ReceivedRequest): VerificationReply {
    const nothing: VerificationReply = { type: 'application/json', body: '{}' };
    const { url, headers, body } = request;
    const path = this.ownPath(url);
    if (path === null || path.startsWith(SELF_TEST_PATH)) return nothing;
    // The self-test has shown that the public address does not preserve the path.
    if (this.unreachableReason !== null && !url.includes(this.pathSegment)) return nothing;
    this.unreachableReason = null;
    const reply = verificationReply(request);
    if (reply) return reply;
    if (isDelivery(request)) this.deliveries.push({ path, at: new Date(), headers, body });
    return nothing;
  }

  /** Whether deliveries to the public address arrive here. Callers at the same time share one test. */
  async isReachable(withinMs: number): Promise<boolean> {
    this.selfTest ??= this.testAddress(withinMs).finally(() => {
      this.selfTest = null;
    });
    return await this.selfTest;
  }

  private async testAddress(withinMs: number): Promise<boolean> {
    const path = `${SELF_TEST_PATH}${randomUUID()}`;
    const sending = new AbortController();
    let over: NodeJS.Timeout | undefined;
    let see: (request: IncomingMessage) => void = () => undefined;
    const arrived = new Promise<boolean>((resolve) => {
      see = ({ url = '' }) => url.includes(path) && resolve(true);
      this.server.on('request', see);
      // The timer keeps the process alive until the result is known.
      over = setTimeout(resolve, withinMs, false);
    });
    // Only the arrival counts, not the response. A relay may treat a request without a JSON body differently.
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ type: 'conformance.self-test' });
    void fetch(this.urlFor(path), { method: 'POST', headers, body, signal: sending.signal }).catch(() => undefined);
    const reached = await arrived;
    clearTimeout(over);
    this.server.off('request', see);
    sending.abort();
    return reached;
  }

  urlFor(path: string): string {
    return `${this.publicUrl}/${this.pathSegment}${path}`;
  }

  /** The path after the mark; null if it belongs to another run. */
  private ownPath(url: string): string | null {
    const own = `/${this.pathSegment}/`;
    const at = url.indexOf(own);
    if (at >= 0) return url.slice(at + own.length - 1);
    return RECEIVER_PATH.test(url) ? null : url;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
