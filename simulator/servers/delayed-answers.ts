/** The timers do not keep the process alive. */
export class DelayedAnswers {
  readonly #waiting = new Set<() => void>();

  /** Ends all current delays. */
  release(): void {
    for (const send of [...this.#waiting]) send();
  }

  /** Returns a function that cancels the call. */
  after(delayMs: number, send: () => void): () => void {
    const cancel = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(sendNow);
    };
    const sendNow = (): void => {
      cancel();
      send();
    };
    const timer = setTimeout(sendNow, delayMs).unref();
    this.#waiting.add(sendNow);
    return cancel;
  }

  async wait(delayMs: number | undefined): Promise<void> {
    if (delayMs !== undefined) await new Promise<void>((resolve) => void this.after(delayMs, resolve));
  }
}
