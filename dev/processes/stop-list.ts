export interface Stoppable {
  readonly name: string;
  stop(): Promise<void>;
}

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
        this.#say(`${last.name} did not stop cleanly: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
