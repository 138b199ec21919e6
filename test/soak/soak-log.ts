/** Warnings that a kill, an upgrade or a destination of the run causes, by their name. */
const expected: ReadonlySet<string> = new Set([
  'connection.lost',
  'destination.circuitOpened',
  'lease.lost',
  'mail.unconfigured',
  // The server refuses a version until its workers poll every queue.
  'version.promoteFailed',
]);
const WARN = 40;
const SHOWN_LENGTH = 400;

/** Counts what the processes log, because an hour's lines would fill the memory. */
export class SoakLog {
  /** Of expected warnings. */
  readonly counts = new Map<string, number>();
  /** The first line of each process and name, and how many there were. */
  readonly #unexpected = new Map<string, { readonly text: string; count: number }>();

  add(line: string): void {
    const [process = '', text = ''] = split(line, ' | ');
    const { level, msg } = parsed(text);
    if (level < WARN) return;
    if (level === WARN && expected.has(msg)) this.counts.set(msg, (this.counts.get(msg) ?? 0) + 1);
    else this.#addUnexpected(`${process} ${msg}`, `${process}: ${text.slice(0, SHOWN_LENGTH)}`);
  }

  #addUnexpected(key: string, text: string): void {
    const known = this.#unexpected.get(key);
    if (known) known.count++;
    else this.#unexpected.set(key, { text, count: 1 });
  }

  /** Returns the unexpected lines since the last call. */
  takeUnexpected(): string[] {
    const lines = [...this.#unexpected.values()].map(({ text, count }) =>
      count > 1 ? `${count} times, ${text}` : text,
    );
    this.#unexpected.clear();
    return lines;
  }
}

/** A line that is no JSON is as unexpected as an error. */
function parsed(text: string): { readonly level: number; readonly msg: string } {
  try {
    const { level, msg } = JSON.parse(text);
    return { level: Number(level), msg: String(msg) };
  } catch {
    return { level: Number.POSITIVE_INFINITY, msg: '' };
  }
}

function split(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return [text.slice(0, index), text.slice(index + separator.length)];
}
