interface WhileSeen {
  /** The document, or what stands for one. */
  readonly page: {
    readonly hidden: boolean;
    readonly addEventListener: (type: 'visibilitychange', listener: () => void) => void;
    readonly removeEventListener: (type: 'visibilitychange', listener: () => void) => void;
  };
  readonly start: () => void;
  readonly stop: () => void;
  /** How long it goes on out of sight. */
  readonly graceMs: number;
}

/** Runs something while the page can be seen, and again when it is seen again; the answer ends it for good. */
export function whileSeen({ page, start, stop, graceMs }: WhileSeen): () => void {
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    if (isRunning) stop();
    isRunning = false;
  };
  const look = (): void => {
    clearTimeout(timer);
    if (page.hidden) {
      timer = setTimeout(end, graceMs);
    } else if (!isRunning) {
      isRunning = true;
      start();
    }
  };
  page.addEventListener('visibilitychange', look);
  look();
  return () => {
    page.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    end();
  };
}
