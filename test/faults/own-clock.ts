/**
 * One signal steps the process's clock forward, another back to the true time.
 * Covers what this project's code reads; the database and Temporal's SDK core have clocks of their own. The
 * monotonic clock never steps.
 */
const STEP_MS = 30_000;
const TrueDate = Date;
let offsetMs = 0;

process.on('SIGUSR2', () => (offsetMs = STEP_MS));
process.on('SIGPWR', () => (offsetMs = 0));

class SteppedDate extends TrueDate {
  constructor(...values: readonly unknown[]) {
    if (values.length === 0) super(TrueDate.now() + offsetMs);
    else super(...(values as [number]));
  }

  static override now(): number {
    return TrueDate.now() + offsetMs;
  }
}

globalThis.Date = SteppedDate as DateConstructor;
