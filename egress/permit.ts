/** The right of a sender, such as the holder of a lease, to send requests. */
export interface Permit {
  /** Checked when a connection is granted and again before the request is written. */
  readonly isValid: () => boolean;
  /** Requests that wait for a connection. */
  readonly waiting: Set<PermitHolder>;
  /** Drops the waiting requests, and those that still connect once they are connected. Requests sent before continue. */
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
