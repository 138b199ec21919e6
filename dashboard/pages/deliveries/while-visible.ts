interface WhileVisible {
  readonly page: {
    readonly hidden: boolean;
    readonly addEventListener: (type: 'visibilitychange', listener: () => void) => void;
    readonly removeEventListener: (type: 'visibilitychange', listener: () => void) => void;
  };
  readonly start: () => void;
  readonly stop: () => void;
  readonly graceMs: number;
}

export function whileVisible({ page, start, stop, graceMs }: WhileVisible): () => void {
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    if (isRunning) stop();
    isRunning = false;
  };
  const update = (): void => {
    clearTimeout(timer);
    if (page.hidden) {
      timer = setTimeout(end, graceMs);
    } else if (!isRunning) {
      isRunning = true;
      start();
    }
  };
  page.addEventListener('visibilitychange', update);
  update();
  return () => {
    page.removeEventListener('visibilitychange', update);
    clearTimeout(timer);
    end();
  };
}
