import type { Dispatcher } from 'undici';

export interface Collected {
  status: number;
  /** Names and values in turn, as they came. */
  rawHeaders: readonly (string | Buffer)[];
  chunks: Buffer[];
  bytes: number;
  truncated: boolean;
}

/**
 * What comes for one request, up to a number of bytes. The library's own stream of a body costs more than all the rest of an
 * exchange, and nothing here wants a stream.
 */
export class Collecting implements Dispatcher.DispatchHandler {
  readonly done: Promise<Collected>;
  private readonly cap: number;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private status = 0;
  private rawHeaders: Collected['rawHeaders'] = [];
  private controller: Dispatcher.DispatchController | undefined;
  private endedBy: Error | null = null;
  private resolve!: (collected: Collected) => void;
  private reject!: (error: unknown) => void;

  constructor(cap: number) {
    this.cap = cap;
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Ends it early, whether or not there is a connection yet. */
  end(reason: Error): void {
    this.endedBy ??= reason;
    this.reject(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.endedBy) controller.abort(this.endedBy);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // What comes before the answer itself, such as 100 Continue.
    if (status < 200) return;
    this.status = status;
    this.rawHeaders = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.cap) {
      this.finish(true);
      controller.abort(new Error('more than anybody reads'));
      return;
    }
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.finish(false);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }

  private finish(truncated: boolean): void {
    const { status, rawHeaders, chunks, bytes } = this;
    this.resolve({ status, rawHeaders, chunks, bytes, truncated });
  }
}
