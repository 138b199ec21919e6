import { safeLine } from '../../contract/text/safe-text.ts';
import { cutText } from './text-width.ts';
import type { World } from './world.ts';

export interface Progress {
  show(text: string, share?: number | undefined): void;
  end(): void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 90;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[2K';

const silent: Progress = { show: () => undefined, end: () => undefined };

export function createProgress({ stderr }: Pick<World, 'stderr'>, { isQuiet }: { isQuiet: boolean }): Progress {
  if (isQuiet || stderr.isTTY !== true) return silent;
  let shown = '';
  let frame = 0;
  const draw = (): void => {
    const line = cutText(`${FRAMES[frame++ % FRAMES.length]} ${shown}`, (stderr.columns ?? 80) - 1);
    stderr.write(CLEAR_LINE + line);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    show(text, share) {
      shown = share === undefined ? safeLine(text) : `${bar(share)} ${safeLine(text)}`;
      timer ??= setInterval(draw, FRAME_MS).unref();
      draw();
    },
    end() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      stderr.write(CLEAR_LINE);
    },
  };
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}
