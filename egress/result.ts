import type { BlockedError, NoResponseError } from '../contract/deliveries/egress-errors.ts';

export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Headers that the client sets itself are ignored. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Optional. The client's timeout by default. */
  readonly timeoutMs?: number | undefined;
}

interface Timed {
  readonly startedAtMs: number;
  readonly durationMs: number;
}

interface Answered extends Timed {
  readonly outcome: 'answered';
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The beginning of the body, not decompressed. */
  readonly body: Buffer;
  readonly bodyTruncated: boolean;
}

interface NoResponse extends Timed {
  readonly outcome: 'no_response';
  readonly error: NoResponseError;
  /** For the operator's log only. */
  readonly detail: string;
}

interface Blocked extends Timed {
  readonly outcome: 'blocked';
  readonly error: BlockedError;
  /** For the operator's log only. */
  readonly detail: string;
}

export type EgressResult = Answered | NoResponse | Blocked;
