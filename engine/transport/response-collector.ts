import type { Dispatcher } from 'undici';

export interface CollectedResponse {
  status: number;
  /** Names and values in turn, as they came. */
  rawHeaders: readonly Buffer[];
  chunks: Buffer[];
  bytes: number;
  truncated: boolean;
}

/**
 * What comes for one request, up to a number of bytes. The library's own stream of a body costs more than all the rest of an
 * exchange, and nothing here wants a stream. Nor does anything want the headers as an object, twice: so this is a handler of the older
 * kind, which the library itself has for its requests.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly done: Promise<CollectedResponse>;
  private readonly maxBytes: number;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private status = 0;
  private rawHeaders: CollectedResponse['rawHeaders'] = [];
  private abortRequest: ((reason: Error) => void) | undefined;
  private abortReason: Error | null = null;
  private resolve!: (collected: CollectedResponse) => void;
  private reject!: (error: unknown) => void;

  constructor(cap: number) {
    this.maxBytes = cap;
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Ends it early, whether or not there is a connection yet. */
  cancel(reason: Error): void {
    this.abortReason ??= reason;
    this.reject(reason);
    this.abortRequest?.(reason);
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.abortRequest = abort;
    if (this.abortReason) abort(this.abortReason);
  }

  onHeaders(status: number, rawHeaders: Buffer[]): boolean {
    // What comes before the answer itself, such as 100 Continue.
    if (status < 200) return true;
    this.status = status;
    this.rawHeaders = rawHeaders;
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) {
      this.finish(true);
      this.abortRequest?.(new Error('the body is longer than the kit reads'));
      return false;
    }
    this.chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    this.finish(false);
  }

  onError(error: Error): void {
    this.reject(error);
  }

  private finish(truncated: boolean): void {
    const { status, rawHeaders, chunks, bytes } = this;
    this.resolve({ status, rawHeaders, chunks, bytes, truncated });
  }
}
