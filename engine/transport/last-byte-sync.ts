import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const MIN_WAIT_MS = 10;
const MAX_WAIT_MS = 250;

/** The end of one request, which is held back while the others are on their way. */
export class LastByte {
  /** Resolves when all the rest is on its way, or when there is nothing to wait for. */
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

  /** Holds back the last byte of what is written on this connection, until it is released. */
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

  /** Nothing more comes: the connection failed. */
  abandon(): void {
    this.markReady();
  }

  release(): void {
    this.isReleased = true;
    this.sendLastByte();
  }
}

/**
 * Lets the last bytes of requests go once each has failed or is on its way but for its last byte. Requests that are merely sent in parallel
 * arrive one after the other, far enough apart for a server without any lock to get away with it. `wayMs` is about as long as it takes
 * to get through to the server: it, too, has to read what came.
 */
export async function releaseLastBytes(lastBytes: readonly LastByte[], wayMs: () => number): Promise<void> {
  await Promise.all(lastBytes.map(({ ready }) => ready));
  await pause(Math.min(Math.max(wayMs(), MIN_WAIT_MS), MAX_WAIT_MS));
  for (const lastByte of lastBytes) lastByte.release();
}
