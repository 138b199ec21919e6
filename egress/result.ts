import type { BlockedError, EgressError, NoResponseError } from '../contract/deliveries/egress-errors.ts';
import type { Permit } from './permit.ts';

export type GroupKey = number | string;

export interface GroupOwner {
  /** Optional. Requests of one group share connections. Default: one group per workspace. */
  readonly group?: GroupKey | undefined;
  /** Optional. Its requests share a limit. */
  readonly workspaceId?: string | undefined;
}

export interface EgressRequest extends GroupOwner {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The client's own headers take precedence. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Optional. From the grant of a connection to the end of the body. Default: the client's timeout. */
  readonly timeoutMs?: number | undefined;
  /** Optional. Default: a request waits for a connection as long as it takes. */
  readonly maxWaitMs?: number | undefined;
  readonly permit?: Permit | undefined;
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
  /** What cut the response off within its body; null if nothing did. */
  readonly bodyError: EgressError | null;
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

/** Nothing was sent, and the receiver is not at fault. */
interface NotSent {
  readonly outcome: 'not_sent';
  readonly reason: NotSentReason;
}

/** `withdrawn`: the sender's permit is no longer valid. */
export type NotSentReason = 'aborted' | 'withdrawn' | 'waited_too_long' | 'queue_full' | 'client_closed';

export type SentResult = Answered | NoResponse | Blocked;

export type EgressResult = SentResult | NotSent;
