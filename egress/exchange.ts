import type { Dispatcher } from 'undici';
import { type BlockedError, blockedErrors, type EgressError } from '../contract/deliveries/egress-errors.ts';
import { classifyFailure, EgressFailure } from './failure.ts';
import { boundedHeaders } from './response-headers.ts';
import type { EgressResult } from './result.ts';

/** Beyond this, closing the connection is cheaper than draining it. */
const MAX_READ_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 16 * 1024;
/** A body can arrive byte by byte. */
const MAX_PIECES = 64;

const NO_BODY = Buffer.alloc(0);

type Headers = Parameters<typeof boundedHeaders>[0];

export interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onSettled: (result: EgressResult) => void;
}

/**
 * One request, driven by undici's callbacks. It is *settled* once, by the first of response, failure, deadline and
 * abort. It is *released* when undici is done with it, which frees its connection.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  isSettled = false;
  onReleased: () => void = () => {};
  lateError: () => EgressError = () => 'timeout';

  private readonly options: ExchangeOptions;
  private readonly startedAtMs = Date.now();
  private readonly startedMonotonicMs = performance.now();
  private readonly deadline: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | undefined;
  private isReleased = false;
  private status = 0;
  private headers: Headers = {};
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  private readBytes = 0;

  constructor(options: ExchangeOptions) {
    this.options = options;
    this.deadline = setTimeout(expire, options.timeoutMs, this);
    options.signal?.addEventListener('abort', this.giveUp);
  }

  fail(error: EgressError, detail: string): void {
    const failure = new EgressFailure(error, detail);
    this.settleFailure(failure);
    this.controller?.abort(failure);
  }

  expire(): void {
    this.fail(this.controller === undefined ? this.lateError() : 'timeout', `${this.options.timeoutMs} ms`);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isSettled) controller.abort(new EgressFailure('aborted', 'settled before it was sent'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Informational responses (1xx) precede the final one.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.keep(piece);
    this.readBytes += piece.length;
    if (this.readBytes <= MAX_READ_BYTES) return;
    this.settleAnswer();
    controller.abort(new EgressFailure('aborted', 'enough of the body was read'));
  }

  onResponseEnd(): void {
    this.settleAnswer();
    this.release();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.settleFailure(error);
    // A waiting exchange that expires now must not take the connection.
    setImmediate(release, this);
  }

  private readonly giveUp = (): void => {
    this.fail('aborted', 'aborted by the sender');
  };

  private keep(piece: Buffer): void {
    const room = MAX_KEPT_BYTES - this.keptBytes;
    if (room <= 0) return;
    this.pieces.push(piece.length <= room ? piece : piece.subarray(0, room));
    this.keptBytes += Math.min(piece.length, room);
    if (this.pieces.length === MAX_PIECES) this.pieces = [Buffer.concat(this.pieces)];
  }

  private settleAnswer(): void {
    if (this.isSettled) return;
    this.settle({
      outcome: 'answered',
      status: this.status,
      headers: boundedHeaders(this.headers),
      // Each piece retains the socket's whole read buffer.
      body: this.keptBytes === 0 ? NO_BODY : Buffer.concat(this.pieces, this.keptBytes),
      bodyTruncated: this.readBytes > this.keptBytes,
      startedAtMs: this.startedAtMs,
      durationMs: this.durationMs(),
    });
  }

  private settleFailure(thrown: Error): void {
    if (this.isSettled) return;
    const { error, detail } = classifyFailure(thrown);
    const times = { startedAtMs: this.startedAtMs, durationMs: this.durationMs() };
    if (isBlocked(error)) this.settle({ outcome: 'blocked', error, detail, ...times });
    else this.settle({ outcome: 'no_response', error, detail, ...times });
  }

  private settle(result: EgressResult): void {
    this.isSettled = true;
    clearTimeout(this.deadline);
    this.options.signal?.removeEventListener('abort', this.giveUp);
    this.pieces = [];
    this.options.onSettled(result);
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.onReleased();
  }

  private durationMs(): number {
    return Math.round(performance.now() - this.startedMonotonicMs);
  }
}

function release(exchange: Exchange): void {
  exchange.release();
}

function expire(exchange: Exchange): void {
  exchange.expire();
}

function isBlocked(error: EgressError): error is BlockedError {
  return blockedErrors.some((blocked) => blocked === error);
}
