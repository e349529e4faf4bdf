import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const MIN_WAIT_MS = 10;
const MAX_WAIT_MS = 250;

/** The last byte of one request, held back until the other requests are sent up to theirs. */
export class LastByte {
  /** Resolves when everything but the last byte is sent, or when there is nothing to wait for. */
  readonly ready: Promise<void>;
  private readonly markReady: () => void;
  private sendLastByte = () => {};
  private isReleased = false;

  constructor() {
    let begin = () => {};
    this.ready = new Promise((resolve) => {
      begin = resolve;
    });
    this.markReady = begin;
  }

  /** Holds back the last byte written to this connection until it is released. */
  hold(socket: Socket): void {
    if (this.isReleased) return;
    const { write } = socket;
    const sendOn = (bytes: Buffer) => write.call(socket, bytes);
    let held: Buffer = Buffer.alloc(0);
    socket.write = ((chunk: string | Buffer, encoding?: BufferEncoding) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
      const all = Buffer.concat([held, bytes]);
      held = all.subarray(-1);
      this.markReady();
      return sendOn(all.subarray(0, -1));
    }) as Socket['write'];
    this.sendLastByte = () => {
      socket.write = write;
      sendOn(held);
    };
  }

  /** Stops waiting for the request, because the connection failed. */
  abandon(): void {
    this.markReady();
  }

  release(): void {
    this.isReleased = true;
    this.sendLastByte();
  }
}

/**
 * Releases the last bytes when each request has failed or is sent except for its last byte. Requests that are only sent
 * in parallel arrive one after the other, far enough apart to work on a server without locks. `wayMs` is about the time
 * that a request takes to reach the server, which must also read the first part.
 */
export async function releaseLastBytes(lastBytes: readonly LastByte[], wayMs: () => number): Promise<void> {
  await Promise.all(lastBytes.map(({ ready }) => ready));
  await pause(Math.min(Math.max(wayMs(), MIN_WAIT_MS), MAX_WAIT_MS));
  for (const lastByte of lastBytes) lastByte.release();
}
