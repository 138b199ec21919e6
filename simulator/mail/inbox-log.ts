import { EventEmitter, once } from 'node:events';

export interface NewMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Null for an email without HTML. */
  readonly html: string | null;
}

export interface InboxMessage extends NewMessage {
  /** Counts from 1. */
  readonly number: number;
  readonly receivedAt: string;
}

const MAX_MESSAGES = 1_000;

export class InboxLog {
  readonly #messages: InboxMessage[] = [];
  #count = 0;
  readonly #arrivals = new EventEmitter().setMaxListeners(0);
  readonly #closed = new AbortController();

  add(message: NewMessage): void {
    this.#count++;
    this.#messages.unshift({ number: this.#count, receivedAt: new Date().toISOString(), ...message });
    this.#messages.splice(MAX_MESSAGES);
    this.#arrivals.emit('arrival');
  }

  messages({ to, after = 0 }: { to?: string | undefined; after?: number }): readonly InboxMessage[] {
    const address = to?.toLowerCase();
    return this.#messages.filter((one) => one.number > after && (address === undefined || one.to.includes(address)));
  }

  /** Returns undefined for an unknown or forgotten email. */
  message(number: number): InboxMessage | undefined {
    return this.#messages.find((one) => one.number === number);
  }

  /** Returns an empty list after `waitMs`. */
  async wait(query: { to: string | undefined; after: number; waitMs: number }): Promise<readonly InboxMessage[]> {
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(query.waitMs)]);
    while (!signal.aborted) {
      const found = this.messages(query);
      if (found.length > 0) return found;
      await once(this.#arrivals, 'arrival', { signal }).catch(() => undefined);
    }
    return this.messages(query);
  }

  close(): void {
    this.#closed.abort();
  }
}
