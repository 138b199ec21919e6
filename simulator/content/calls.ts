import type { ContentStep } from './control.ts';

/** A call that reached the content side, also one whose answer was lost. */
export interface ContentCall {
  /** From 1, in the order of arrival. */
  readonly number: number;
  readonly at: ContentStep;
  readonly method: string;
  readonly path: string;
  /** Whose object it is about. */
  readonly account: string;
  readonly token: string | null;
  readonly atMs: number;
  readonly outcome: 'pending' | 'answered' | 'lost';
  /** Of the answer; null when there is none. */
  readonly status: number | null;
  /** The object that the call made, answered or not. */
  readonly madeId: string | null;
}

export interface ContentCalls {
  begin(call: Pick<ContentCall, 'at' | 'method' | 'path' | 'account' | 'token' | 'atMs'>): number;
  end(number: number, result: Pick<ContentCall, 'outcome' | 'status' | 'madeId'>): void;
  list(): ContentCall[];
  /** All that ever arrived, by what they were for. */
  counts(): Readonly<Record<string, number>>;
  clear(): void;
}

/** A bench makes more, which only the counts remember. */
const MAX_KEPT = 10_000;

export function createContentCalls(): ContentCalls {
  const calls = new Map<number, ContentCall>();
  const counts = new Map<string, number>();
  let last = 0;

  return {
    begin(call) {
      last += 1;
      calls.set(last, { number: last, ...call, outcome: 'pending', status: null, madeId: null });
      calls.delete(last - MAX_KEPT);
      counts.set(call.at, (counts.get(call.at) ?? 0) + 1);
      return last;
    },
    end(number, result) {
      const call = calls.get(number);
      if (call) calls.set(number, { ...call, ...result });
    },
    list: () => [...calls.values()],
    counts: () => Object.fromEntries(counts),
    clear() {
      calls.clear();
      counts.clear();
    },
  };
}
