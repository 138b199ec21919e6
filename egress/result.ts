import type { BlockedError, NoResponseError } from '../contract/deliveries/egress-errors.ts';

export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The client owns host, content-length, connection, accept-encoding and their kind; such entries are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Over everything, from look-up to the last byte of the response's body. */
  readonly timeoutMs?: number | undefined;
}

interface Timed {
  readonly startedAtMs: number;
  /** Whole milliseconds. */
  readonly durationMs: number;
}

interface Answered extends Timed {
  readonly outcome: 'answered';
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The beginning of the response's body, as received. */
  readonly body: Buffer;
  readonly bodyTruncated: boolean;
}

interface NoResponse extends Timed {
  readonly outcome: 'no_response';
  readonly error: NoResponseError;
  /** For the operator's log only, never shown to a customer. */
  readonly detail: string;
}

interface Blocked extends Timed {
  readonly outcome: 'blocked';
  readonly error: BlockedError;
  /** For the operator's log only, never shown to a customer. */
  readonly detail: string;
}

export type EgressResult = Answered | NoResponse | Blocked;
