export interface LoggedCall {
  readonly number: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** Null for an unknown object. */
  readonly account: string | null;
  readonly token: string | null;
  readonly atMs: number;
  /** `lost`: dropped by a fault or by the caller. */
  readonly outcome: 'pending' | 'answered' | 'lost';
  readonly status: number | null;
  /** Set even if the response was lost. */
  readonly madeId: string | null;
}

export interface CallCounts {
  readonly calls: Readonly<Record<string, number>>;
  readonly answered: number;
  readonly refused: number;
  readonly lost: number;
}

interface CallEnd extends Pick<LoggedCall, 'status' | 'madeId'> {
  readonly kind: 'answered' | 'refused' | 'lost';
}

export interface CallLog {
  begin(call: Pick<LoggedCall, 'at' | 'method' | 'path' | 'account' | 'token' | 'atMs'>): number;
  end(number: number, end: CallEnd): void;
  list(): LoggedCall[];
  /** Includes calls that are no longer listed. */
  counts(): CallCounts;
  clear(): void;
}

const MAX_LISTED = 10_000;
const noEnds = { answered: 0, refused: 0, lost: 0 };

export function createCallLog(): CallLog {
  const listed = new Map<number, LoggedCall>();
  const counts = new Map<string, number>();
  let ends = noEnds;
  let last = 0;

  return {
    begin(call) {
      last += 1;
      listed.set(last, { number: last, ...call, outcome: 'pending', status: null, madeId: null });
      listed.delete(last - MAX_LISTED);
      counts.set(call.at, (counts.get(call.at) ?? 0) + 1);
      return last;
    },
    end(number, { kind, status, madeId }) {
      ends = { ...ends, [kind]: ends[kind] + 1 };
      const call = listed.get(number);
      if (call) listed.set(number, { ...call, outcome: kind === 'lost' ? 'lost' : 'answered', status, madeId });
    },
    list: () => [...listed.values()],
    counts: () => ({ calls: Object.fromEntries(counts), ...ends }),
    clear() {
      listed.clear();
      counts.clear();
      ends = noEnds;
    },
  };
}
