import type { IncomingHttpHeaders } from 'node:http';

export interface RequestRecord {
  /** Counts from 1 for each webhook and continues after `clear`. */
  readonly number: number;
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyLength: number;
  readonly sha256: string;
  readonly isProbe: boolean;
  /** Undefined if the body was dropped. */
  body: Buffer | undefined;
  /** Null for probes, and before the secret is known. */
  readonly verdict: SignatureVerdict | null;
  answeredStatus: number | null;
}

export interface SignatureVerdict {
  readonly signatureValid: boolean;
  readonly standardSignatureValid: boolean;
}

const MAX_REQUESTS = 100_000;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Keeps the latest requests of a webhook, with a budget for bodies. */
export class RequestLog {
  #records: RequestRecord[] = [];
  readonly #waiters = new Set<() => void>();
  #last = 0;
  #bodyBytes = 0;
  /** The number of the oldest request whose body is kept. */
  #oldestBody = 1;
  #probeCount = 0;
  #deliveryCount = 0;

  get counts(): { readonly count: number; readonly deliveryCount: number; readonly probeCount: number } {
    const deliveryCount = this.#deliveryCount;
    const probeCount = this.#probeCount;
    return { count: deliveryCount + probeCount, deliveryCount, probeCount };
  }

  get nextNumber(): number {
    return this.#last + 1;
  }

  /** The record must have `nextNumber`. */
  add(record: RequestRecord): void {
    this.#last = record.number;
    this.#records.push(record);
    if (record.isProbe) this.#probeCount += 1;
    else this.#deliveryCount += 1;
    this.#bodyBytes += record.body?.length ?? 0;
    // Requests are dropped in bulk, because dropping one by one would copy the list for each.
    const latestBodies = this.#records.length < 2 * MAX_REQUESTS ? 0 : this.#last - MAX_REQUESTS + 1;
    while (this.#bodyBytes > MAX_BODY_BYTES || this.#oldestBody < latestBodies) this.#dropOldestBody();
    if (latestBodies > 0) this.#records = this.#records.slice(-MAX_REQUESTS);
  }

  /** Separate from `add`, so that readers find an immediate response in the record. */
  wake(): void {
    for (const waiter of this.#waiters) waiter();
  }

  list({ after = 0, limit = Infinity }: { after?: number; limit?: number } = {}): readonly RequestRecord[] {
    const [first] = this.#records;
    const start = Math.max(0, after + 1 - (first?.number ?? 1));
    return this.#records.slice(start, start + limit);
  }

  clear(): void {
    this.#records = [];
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

  #dropOldestBody(): void {
    const [first] = this.#records;
    const record = this.#records[this.#oldestBody - (first?.number ?? 1)];
    this.#oldestBody += 1;
    if (!record?.body) return;
    this.#bodyBytes -= record.body.length;
    record.body = undefined;
  }
}
