/** The right of a sender, such as the holder of a lease, to start requests. */
export interface Permit {
  /** Checked when a connection is granted. */
  readonly isValid: () => boolean;
  /** Requests that wait for a connection. */
  readonly waiting: Set<PermitHolder>;
  /** Drops the waiting requests. Those under way continue. */
  withdraw(): void;
}

export interface PermitHolder {
  refuse(reason: 'withdrawn'): void;
}

export function createPermit(isValid: () => boolean): Permit {
  let isWithdrawn = false;
  const waiting = new Set<PermitHolder>();
  return {
    isValid: () => !isWithdrawn && isValid(),
    waiting,
    withdraw() {
      isWithdrawn = true;
      for (const request of waiting) request.refuse('withdrawn');
    },
  };
}
