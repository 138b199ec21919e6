import { EventEmitter, once } from 'node:events';

export interface NewMessage {
  readonly from: string;
  /** In lower case. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface InboxMessage extends NewMessage {
  /** Counts up from 1 and never back, also when the inbox is cleared. */
  readonly number: number;
  readonly receivedAt: string;
}

/** More than any test sends; older ones go. */
const MAX_MESSAGES = 1_000;

/** What has been received, newest first, and those who wait for more. */
export class InboxLog {
  #messages: InboxMessage[] = [];
  #count = 0;
  readonly #arrivals = new EventEmitter().setMaxListeners(0);
  readonly #closed = new AbortController();

  add(message: NewMessage): void {
    this.#count++;
    this.#messages.unshift({ number: this.#count, receivedAt: new Date().toISOString(), ...message });
    this.#messages.splice(MAX_MESSAGES);
    this.#arrivals.emit('arrival');
  }

  /** Those to this address, or to anybody, whose number is above `after`. */
  messages({ to, after = 0 }: { to?: string | undefined; after?: number }): readonly InboxMessage[] {
    const address = to?.toLowerCase();
    return this.#messages.filter((one) => one.number > after && (address === undefined || one.to.includes(address)));
  }

  /** The same, as soon as there is one; none when nothing came in time. */
  async wait(query: { to: string | undefined; after: number; waitMs: number }): Promise<readonly InboxMessage[]> {
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(query.waitMs)]);
    while (!signal.aborted) {
      const found = this.messages(query);
      if (found.length > 0) return found;
      await once(this.#arrivals, 'arrival', { signal }).catch(() => undefined);
    }
    return this.messages(query);
  }

  clear(): void {
    this.#messages = [];
  }

  /** Lets those who wait go. */
  close(): void {
    this.#closed.abort();
  }
}
