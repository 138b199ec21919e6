import type { BlockedError, NoResponseError } from '../contract/deliveries/egress-errors.ts';

export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The client's own headers take precedence. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Optional. Default: the client's timeout. */
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
  readonly detail: string;
}

interface Blocked extends Timed {
  readonly outcome: 'blocked';
  readonly error: BlockedError;
  readonly detail: string;
}

export type EgressResult = Answered | NoResponse | Blocked;
