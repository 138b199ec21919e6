/** Something that was started and is to be stopped; a second Ctrl-C ends the process, which takes its children along. */
export interface Stoppable {
  readonly name: string;
  stop(): Promise<void>;
}

/** Stops things in the reverse order of their start, one after the other, whatever happens to any of them. */
export class StopList {
  readonly #stoppables: Stoppable[] = [];
  readonly #say: (text: string) => void;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  add(stoppable: Stoppable): void {
    this.#stoppables.push(stoppable);
  }

  async stopAll(): Promise<void> {
    for (let last = this.#stoppables.pop(); last; last = this.#stoppables.pop()) {
      this.#say(`Stopping ${last.name}.`);
      try {
        await last.stop();
      } catch (error) {
        this.#say(`${last.name} did not stop well: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
