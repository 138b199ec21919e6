/** Lines of attempts come in thousands and tell little; what else a process said is what explains a failure. */
const SHOWN_LINES = 120;
const MAX_SHOWN_LENGTH = 400;
const ROUTINE = /"(configuration\.read|delivery\.promoted|delivery\.attempted)"|"status":[234]\d\d.*"request\.served"/;

/** What the processes of a system said. */
export class CapturedLog {
  readonly lines: string[] = [];

  add(line: string): void {
    this.lines.push(line);
  }

  /** The last lines that are not routine, for a test that failed. */
  tail(): string {
    const shown = this.lines.filter((line) => !ROUTINE.test(line)).slice(-SHOWN_LINES);
    return shown.map((line) => line.slice(0, MAX_SHOWN_LENGTH)).join('\n');
  }
}

const LOG_LINE = /^(worker|api|gateway) \d+ \| \{"level":\d+,.*"msg":"\w+\.\w+"\}$/;

/** Lines that are not one JSON object with an event's name: what reads logs by machine would choke on them. */
export function strangeLines(lines: readonly string[]): string[] {
  return lines.filter((line) => !LOG_LINE.test(line));
}
