import type { Lifetime } from '../time/lifetime.ts';

const SHOWN_LINES = 120;
const MAX_SHOWN_LENGTH = 400;
const ROUTINE = /"(configuration\.read|delivery\.promoted|delivery\.attempted)"|"status":[234]\d\d.*"request\.served"/;

export class CapturedLog {
  readonly lines: string[] = [];
  readonly #followers = new Set<CapturedLog>();

  add(line: string): void {
    this.lines.push(line);
    for (const follower of this.#followers) follower.add(line);
  }

  /** Returns a log of the lines from now on. It ends with the lifetime. */
  follow(lifetime: Lifetime): CapturedLog {
    const follower = new CapturedLog();
    this.#followers.add(follower);
    lifetime.teardown(() => this.#followers.delete(follower));
    return follower;
  }

  tail(): string {
    const shown = this.lines.filter((line) => !ROUTINE.test(line)).slice(-SHOWN_LINES);
    return shown.map((line) => line.slice(0, MAX_SHOWN_LENGTH)).join('\n');
  }
}

const LOG_LINE = /^(worker|api|gateway) \d+ \| \{"level":\d+,.*"msg":"\w+\.\w+"\}$/;

/** Returns lines that log readers can't parse. */
export function strangeLines(lines: readonly string[]): string[] {
  return lines.filter((line) => !LOG_LINE.test(line));
}
