import type { RequestRecord } from './request-record.ts';

export interface RequestLogLimits {
  readonly maxRequests: number;
  readonly maxBodyBytes: number;
}

/** Keeps the latest requests of a webhook in a ring with a budget for bodies. */
export class RequestLog {
  readonly #limits: RequestLogLimits;
  readonly #ring: (RequestRecord | undefined)[] = [];
  readonly #waiters = new Set<() => void>();
  #last = 0;
  #deletedUpTo = 0;
  #bodyBytes = 0;
  #oldestBody = 1;
  #probeCount = 0;
  #deliveryCount = 0;

  constructor(limits: RequestLogLimits) {
    this.#limits = limits;
  }

  get counts(): { readonly count: number; readonly deliveryCount: number; readonly probeCount: number } {
    const [deliveryCount, probeCount] = [this.#deliveryCount, this.#probeCount];
    return { count: deliveryCount + probeCount, deliveryCount, probeCount };
  }

  get nextNumber(): number {
    return this.#last + 1;
  }

  /** The record must have `nextNumber`. */
  add(record: RequestRecord): void {
    const slot = record.number % this.#limits.maxRequests;
    this.#dropBody(this.#ring[slot]);
    this.#ring[slot] = record;
    this.#last = record.number;
    if (record.isProbe) this.#probeCount += 1;
    else this.#deliveryCount += 1;
    this.#bodyBytes += record.body?.length ?? 0;
    while (this.#bodyBytes > this.#limits.maxBodyBytes && this.#oldestBody <= this.#last) {
      this.#dropBody(this.#at(this.#oldestBody));
      this.#oldestBody += 1;
    }
  }

  /** Separate from `add`, so that readers find an immediate response in the record. */
  wake(): void {
    for (const waiter of this.#waiters) waiter();
  }

  list({ after = 0, limit = Infinity }: { after?: number; limit?: number } = {}): RequestRecord[] {
    const records: RequestRecord[] = [];
    const first = Math.max(after, this.#deletedUpTo, this.#last - this.#limits.maxRequests) + 1;
    for (let number = first; number <= this.#last && records.length < limit; number++) {
      const record = this.#at(number);
      if (record) records.push(record);
    }
    return records;
  }

  clear(): void {
    this.#ring.length = 0;
    this.#deletedUpTo = this.#last;
    this.#oldestBody = this.#last + 1;
    this.#bodyBytes = 0;
    this.#probeCount = 0;
    this.#deliveryCount = 0;
  }

  /** Returns false on timeout. */
  waitUntil(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
    if (isTrue()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (isMet: boolean): void => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        resolve(isMet);
      };
      const check = (): void => {
        if (isTrue()) finish(true);
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      this.#waiters.add(check);
    });
  }

  #at(number: number): RequestRecord | undefined {
    const record = this.#ring[number % this.#limits.maxRequests];
    return record?.number === number ? record : undefined;
  }

  #dropBody(record: RequestRecord | undefined): void {
    if (!record?.body) return;
    this.#bodyBytes -= record.body.length;
    record.body = undefined;
  }
}
