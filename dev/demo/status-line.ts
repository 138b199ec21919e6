import { styleText } from 'node:util';

export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface StatusLine {
  /** Replaces the phase before. */
  phase(text: string): void;
  /** Writes lines above the phase. */
  lines(text: string): void;
  end(): void;
}

const REDRAW_MS = 1_000;
/** Without a terminal, a phase says that it continues after this time, and each further time after twice as long. */
const FIRST_REMINDER_MS = 30_000;
const CLEAR = '\r\u001b[2K';
const FALLBACK_COLUMNS = 80;

/** Shows what is under way: one line that is rewritten on a terminal, a few lines elsewhere. */
export function createStatusLine({ output, prefix }: { readonly output: Output; readonly prefix: string }): StatusLine {
  let current: string | undefined;
  let sinceMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => void (output.isTTY && current !== undefined && output.write(CLEAR));
  const elapsed = (): string => durationText(performance.now() - sinceMs);
  const draw = (): void => {
    if (current === undefined || !output.isTTY) return;
    const room = (output.columns || FALLBACK_COLUMNS) - prefix.length - elapsed().length - 3;
    const text = current.length > room ? `${current.slice(0, Math.max(0, room - 1))}…` : current;
    output.write(`${CLEAR}${prefix} ${text} ${styleText('gray', elapsed(), { validateStream: false })}`);
  };
  const remindAfter = (waitMs: number): void => {
    timer = setTimeout(() => {
      output.write(`${prefix} ${current} (${elapsed()})\n`);
      remindAfter(waitMs * 2);
    }, waitMs).unref();
  };
  const end = (): void => {
    clear();
    clearTimeout(timer);
    current = undefined;
  };
  return {
    phase(text) {
      end();
      [current, sinceMs] = [text, performance.now()];
      if (output.isTTY) timer = setInterval(draw, REDRAW_MS).unref();
      else output.write(`${prefix} ${text}\n`);
      if (!output.isTTY) remindAfter(FIRST_REMINDER_MS);
      draw();
    },
    lines(text) {
      clear();
      output.write(text);
      draw();
    },
    end,
  };
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
