import type { Client, Dispatcher } from 'undici';
import { type BlockedError, blockedErrors, type EgressError } from '../contract/deliveries/egress-errors.ts';
import { classifyFailure, EgressFailure } from './failure.ts';
import type { Linked, LinkedQueue } from './capacity.ts';
import type { PermitHolder } from './permit.ts';
import type { EgressRequest, EgressResult, NotSentReason } from './result.ts';
import { keptHeaderValue } from '../contract/deliveries/response-headers.ts';

/** Beyond this, closing the connection is cheaper than draining it. */
const MAX_READ_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 16 * 1024;
/** A body can arrive byte by byte. */
const MAX_PIECES = 64;

const NO_BODY = Buffer.alloc(0);

type Headers = Parameters<typeof boundedHeaders>[0];

export interface ExchangeOptions {
  readonly request: EgressRequest;
  readonly dispatch: Dispatcher.DispatchOptions;
  readonly timeoutMs: number;
  readonly onSettled: (result: EgressResult) => void;
}

interface Wait {
  readonly sinceMs: number;
  readonly limit: NodeJS.Timeout | undefined;
  readonly onRefused: () => void;
}

/**
 * One request, driven by undici's callbacks. It *begins*, and its clock starts, when it gets a connection. It is
 * *settled* once, by the first of response, failure, deadline and abort. It is *released* when undici is done with it,
 * which frees its connection. A request that never begins is *refused*. One whose permit has ended by the time its
 * connection is open is not sent either. Once a final head has arrived, its status is the answer, even if the body is cut off.
 */
export class Exchange implements Dispatcher.DispatchHandler, Linked<Exchange>, PermitHolder {
  previous: Exchange | undefined;
  next: Exchange | undefined;
  queue: LinkedQueue<Exchange> | undefined;
  isSettled = false;

  private readonly options: ExchangeOptions;
  private wait: Wait | undefined;
  private client: Client | undefined;
  private onReleased: () => void = () => {};
  private startedAtMs = 0;
  private startedMonotonicMs = 0;
  private deadline: NodeJS.Timeout | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private isReleased = false;
  private status = 0;
  private headers: Headers = {};
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  private readBytes = 0;

  constructor(options: ExchangeOptions) {
    this.options = options;
    options.request.signal?.addEventListener('abort', this.giveUp);
  }

  get request(): EgressRequest {
    return this.options.request;
  }

  byteLength(): number {
    return this.request.body?.length ?? 0;
  }

  waitForConnection(onRefused: () => void): void {
    const { maxWaitMs, permit } = this.request;
    const limit = maxWaitMs === undefined ? undefined : setTimeout(waitedTooLong, maxWaitMs, this);
    this.wait = { sinceMs: performance.now(), limit, onRefused };
    permit?.waiting.add(this);
  }

  waitedMs(): number {
    return this.wait === undefined ? 0 : performance.now() - this.wait.sinceMs;
  }

  refuse(reason: NotSentReason): void {
    const { wait } = this;
    this.drop(reason);
    wait?.onRefused();
  }

  /** Refuses without a call of `onRefused`. */
  drop(reason: NotSentReason): void {
    this.endWait();
    this.settle({ outcome: 'not_sent', reason });
  }

  isPermitted(): boolean {
    return this.request.permit?.isValid() !== false;
  }

  /** Starts the clock. */
  begin(client: Client, onReleased: () => void): void {
    this.endWait();
    this.startedAtMs = Date.now();
    this.startedMonotonicMs = performance.now();
    this.deadline = setTimeout(expire, this.options.timeoutMs, this);
    this.client = client;
    this.onReleased = onReleased;
    client.dispatch(this.options.dispatch, this);
  }

  private fail(error: EgressError, detail: string): void {
    const failure = new EgressFailure(error, detail);
    this.settleFailure(failure);
    this.controller?.abort(failure);
  }

  expire(): void {
    const isConnecting = this.controller === undefined && this.client?.stats.connected === false;
    this.fail(isConnecting ? 'connect_timeout' : 'timeout', `${this.options.timeoutMs} ms`);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The last moment before the request is written: connecting can take longer than a lease.
    if (!this.isSettled && !this.isPermitted()) this.drop('withdrawn');
    this.controller = controller;
    if (this.isSettled) controller.abort(new EgressFailure('aborted', 'settled before it was sent'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
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
    // A request that starts within undici's error handling could fail with this one.
    setImmediate(release, this);
  }

  private readonly giveUp = (): void => {
    if (this.client === undefined) this.refuse('aborted');
    else this.fail('aborted', 'aborted by the sender');
  };

  private endWait(): void {
    if (this.wait === undefined) return;
    clearTimeout(this.wait.limit);
    this.request.permit?.waiting.delete(this);
    this.wait = undefined;
  }

  private keep(piece: Buffer): void {
    const room = MAX_KEPT_BYTES - this.keptBytes;
    if (room <= 0) return;
    this.pieces.push(piece.length <= room ? piece : piece.subarray(0, room));
    this.keptBytes += Math.min(piece.length, room);
    if (this.pieces.length === MAX_PIECES) this.pieces = [Buffer.concat(this.pieces)];
  }

  private settleAnswer(bodyError: EgressError | null = null): void {
    if (this.isSettled) return;
    this.settle({
      outcome: 'answered',
      status: this.status,
      headers: boundedHeaders(this.headers),
      // Each piece retains the socket's whole read buffer.
      body: this.keptBytes === 0 ? NO_BODY : Buffer.concat(this.pieces, this.keptBytes),
      bodyTruncated: this.readBytes > this.keptBytes,
      bodyError,
      startedAtMs: this.startedAtMs,
      durationMs: this.durationMs(),
    });
  }

  private settleFailure(thrown: Error): void {
    if (this.isSettled) return;
    // Nothing was sent. A process that was stopped finds deadlines of the connection that passed meanwhile.
    if (this.controller === undefined && !this.isPermitted()) return this.drop('withdrawn');
    const { error, detail } = classifyFailure(thrown);
    if (this.status !== 0) return this.settleAnswer(error);
    const times = { startedAtMs: this.startedAtMs, durationMs: this.durationMs() };
    if (isBlocked(error)) this.settle({ outcome: 'blocked', error, detail, ...times });
    else this.settle({ outcome: 'no_response', error, detail, ...times });
  }

  private settle(result: EgressResult): void {
    this.isSettled = true;
    clearTimeout(this.deadline);
    this.request.signal?.removeEventListener('abort', this.giveUp);
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

function waitedTooLong(exchange: Exchange): void {
  exchange.refuse('waited_too_long');
}

function expire(exchange: Exchange): void {
  exchange.expire();
}

function isBlocked(error: EgressError): error is BlockedError {
  return blockedErrors.some((blocked) => blocked === error);
}

const MAX_HEADERS = 64;
const MAX_TOTAL_CHARS = 8_192;

function boundedHeaders(received: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  let count = 0;
  let chars = 0;
  for (const name in received) {
    const value = received[name];
    if (value === undefined) continue;
    const text = keptHeaderValue(name, typeof value === 'string' ? value : value.join(', '));
    if (chars + name.length + text.length > MAX_TOTAL_CHARS) continue;
    if (++count > MAX_HEADERS) break;
    chars += name.length + text.length;
    headers[name] = text;
  }
  return headers;
}
