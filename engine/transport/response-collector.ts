import type { Dispatcher } from 'undici';

export interface CollectedResponse {
  status: number;
  /** Names and values in turn, as received. */
  rawHeaders: readonly Buffer[];
  chunks: Buffer[];
  bytes: number;
  truncated: boolean;
}

/**
 * Collects the response to one request, up to a maximum number of bytes. The kit judges whole bodies, so it needs no
 * stream.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly done: Promise<CollectedResponse>;
  private readonly maxBytes: number;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private status = 0;
  private rawHeaders: CollectedResponse['rawHeaders'] = [];
  private controller: Dispatcher.DispatchController | undefined;
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

  /** Ends the response early, whether or not the connection is open yet. */
  cancel(reason: Error): void {
    this.abortReason ??= reason;
    this.reject(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.abortReason) controller.abort(this.abortReason);
  }

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number): void {
    // An informational response, such as 103 Early Hints, comes before the response itself.
    if (status < 200) return;
    this.status = status;
    this.rawHeaders = rawHeaders as Buffer[];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes <= this.maxBytes) {
      this.chunks.push(chunk);
      return;
    }
    this.finish(true);
    controller.abort(new Error('the body is longer than the kit reads'));
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
