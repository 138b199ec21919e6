/** Keeps one wake-up for the next wait if none is active. */
export interface WakeSignal {
  wake(): void;
  wait(timeoutMs: number): Promise<boolean>;
}

export function createWakeSignal(): WakeSignal {
  let isAwake = false;
  let endWait: (() => void) | undefined;
  return {
    wake() {
      isAwake = true;
      endWait?.();
    },
    async wait(timeoutMs) {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasWoken = isAwake;
      isAwake = false;
      endWait = undefined;
      return wasWoken;
    },
  };
}
