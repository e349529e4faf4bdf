import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { buildConnector } from 'undici';
import { connector } from './interim.ts';

const LEAST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 250;

/**
 * Requests that reach the server at the same moment: each connection is opened and its request written but for the last
 * byte; the last bytes then leave together. Requests that are merely sent in parallel arrive one after the other, far enough
 * apart for a server without any lock to get away with it.
 */
export class Volley {
  private readonly written: Promise<void>[] = [];
  private readonly lastBytes: (() => void)[] = [];
  private readonly begunAt = performance.now();

  /** A connector for one connection, which holds back the last byte of what is written. */
  connector(options: buildConnector.BuildOptions): buildConnector.connector {
    const connect = connector(options);
    let begun = () => {};
    this.written.push(
      new Promise((resolve) => {
        begun = resolve;
      }),
    );
    return (address, done) =>
      connect(address, (...outcome) => {
        const [error, socket] = outcome;
        if (error) begun();
        else this.lastBytes.push(holdBack(socket, begun));
        done(...outcome);
      });
  }

  /** Lets the last bytes go once every connection has failed or carries all the others. */
  async release(): Promise<void> {
    await Promise.all(this.written);
    // The server, too, has to open the connections and to read what came; about as long as it took to get through to it.
    await pause(Math.min(Math.max(performance.now() - this.begunAt, LEAST_WAIT_MS), LONGEST_WAIT_MS));
    for (const send of this.lastBytes) send();
  }
}

function holdBack(socket: Socket, begun: () => void): () => void {
  const write = socket.write.bind(socket) as (bytes: Buffer) => boolean;
  let held: Buffer = Buffer.alloc(0);
  socket.write = ((chunk: string | Buffer, encoding?: BufferEncoding) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const all = Buffer.concat([held, bytes]);
    held = all.subarray(-1);
    begun();
    return write(all.subarray(0, -1));
  }) as Socket['write'];
  return () => {
    socket.write = write as Socket['write'];
    write(held);
  };
}
