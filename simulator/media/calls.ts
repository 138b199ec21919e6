import type { MediaStep } from './control.ts';

/** A call that reached the media side, also one whose answer was lost. */
export interface MediaCall {
  /** From 1, in the order of arrival. */
  readonly number: number;
  readonly at: MediaStep;
  readonly account: string | null;
  readonly atMs: number;
  readonly outcome: 'pending' | 'answered' | 'lost';
  /** Of the answer; null when there is none. */
  readonly status: number | null;
  /** The container or post that the call made, answered or not. */
  readonly madeId: string | null;
}

export interface MediaCalls {
  begin(call: Pick<MediaCall, 'at' | 'account' | 'atMs'>): number;
  end(number: number, result: Pick<MediaCall, 'outcome' | 'status' | 'madeId'>): void;
  list(): MediaCall[];
  clear(): void;
}

/** A container that is polled for a day takes some hundred; the oldest go first. */
const MAX_KEPT = 10_000;

export function createMediaCalls(): MediaCalls {
  const calls = new Map<number, MediaCall>();
  let last = 0;

  return {
    begin(call) {
      last += 1;
      calls.set(last, { number: last, ...call, outcome: 'pending', status: null, madeId: null });
      calls.delete(last - MAX_KEPT);
      return last;
    },
    end(number, result) {
      const call = calls.get(number);
      if (call) calls.set(number, { ...call, ...result });
    },
    list: () => [...calls.values()],
    clear: () => calls.clear(),
  };
}
