/** Lets one loop sleep until somebody has something for it, or a time has passed. An open gate is passed once. */
export interface Gate {
  open(): void;
  /** Resolves to whether the gate was opened; false when the time has passed. */
  wait(timeoutMs: number): Promise<boolean>;
}

export function createGate(): Gate {
  let isOpen = false;
  let pass: (() => void) | undefined;
  return {
    open() {
      isOpen = true;
      pass?.();
    },
    async wait(timeoutMs) {
      if (!isOpen) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          pass = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasOpened = isOpen;
      isOpen = false;
      pass = undefined;
      return wasOpened;
    },
  };
}
