export class ArrivalRecord {
  readonly countById = new Map<string, number>();
  repeatedCount = 0;
  /** Messages whose first arrival was after a later one of their conversation. */
  readonly disorderedIds: string[] = [];
  /** When the platform first sent the newest message, by the monotonic clock. */
  youngestSentAtMs = Number.NEGATIVE_INFINITY;
  readonly #latest = new Map<string, number>();

  add(id: string, sentAtMs: number): void {
    const count = this.countById.get(id) ?? 0;
    this.countById.set(id, count + 1);
    this.youngestSentAtMs = Math.max(this.youngestSentAtMs, sentAtMs);
    if (count > 0) this.repeatedCount++;
    else this.#order(id);
  }

  #order(id: string): void {
    const separator = id.lastIndexOf('.');
    const conversation = id.slice(0, separator);
    const number = Number(id.slice(separator + 1));
    if (number < (this.#latest.get(conversation) ?? -1)) this.disorderedIds.push(id);
    else this.#latest.set(conversation, number);
  }
}

const MESSAGE_ID = /"id":"([a-z]+\.\d+\.\d+)"/;

export function messageIdOf(body: Buffer | string): string | undefined {
  return MESSAGE_ID.exec(typeof body === 'string' ? body : body.toString('latin1'))?.[1];
}
