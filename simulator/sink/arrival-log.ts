export interface ArrivalStats {
  readonly count: number;
  readonly distinctCount: number;
  readonly duplicateCount: number;
  readonly firstArrivedAtMs: number | null;
  readonly lastArrivedAtMs: number | null;
}

const FIRST_CAPACITY = 65_536;

export class ArrivalLog {
  readonly #firstIndexById = new Map<string, number>();
  #times = new Float64Array(FIRST_CAPACITY);
  #count = 0;
  #waiters: { readonly distinctCount: number; readonly resolve: (isMet: boolean) => void }[] = [];

  get stats(): ArrivalStats {
    const distinctCount = this.#firstIndexById.size;
    return {
      count: this.#count,
      distinctCount,
      duplicateCount: this.#count - distinctCount,
      firstArrivedAtMs: this.#count === 0 ? null : (this.#times[0] ?? null),
      lastArrivedAtMs: this.#count === 0 ? null : (this.#times[this.#count - 1] ?? null),
    };
  }

  /** Milliseconds since the epoch with fractions, in order of arrival. */
  get timesMs(): Float64Array {
    return this.#times.subarray(0, this.#count);
  }

  add(deliveryId: string, arrivedAtMs: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[this.#count] = arrivedAtMs;
    if (!this.#firstIndexById.has(deliveryId)) this.#firstIndexById.set(deliveryId, this.#count);
    this.#count += 1;
    if (this.#waiters.length > 0) this.#wake();
  }

  firstArrivedAtMs(deliveryId: string): number | undefined {
    const index = this.#firstIndexById.get(deliveryId);
    return index === undefined ? undefined : this.#times[index];
  }

  deliveryIds(): IterableIterator<string> {
    return this.#firstIndexById.keys();
  }

  /** Returns false on timeout. */
  waitForDistinct(distinctCount: number, timeoutMs: number): Promise<boolean> {
    if (this.#firstIndexById.size >= distinctCount) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish(false), timeoutMs);
      const waiter = { distinctCount, resolve: (isMet: boolean) => finish(isMet) };
      const finish = (isMet: boolean): void => {
        clearTimeout(timer);
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(isMet);
      };
      this.#waiters.push(waiter);
    });
  }

  clear(): void {
    this.#firstIndexById.clear();
    this.#count = 0;
  }

  #wake(): void {
    for (const { distinctCount, resolve } of this.#waiters) {
      if (this.#firstIndexById.size >= distinctCount) resolve(true);
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2);
    larger.set(this.#times);
    this.#times = larger;
  }
}
