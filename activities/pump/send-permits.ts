import { createPermit, type Permit } from '../../egress/permit.ts';

/** Permits of a pump's requests by destination: one that moves away takes those with it that wait for a connection. */
export interface SendPermits {
  of(destinationId: number): Permit;
  /** Later requests of the destination get a new permit. */
  withdraw(destinationId: number): void;
  /** For good. */
  withdrawAll(): void;
}

export function createSendPermits(isValid: () => boolean): SendPermits {
  const permits = new Map<number, Permit>();
  let isOver = false;

  return {
    of(destinationId) {
      const permit = permits.get(destinationId) ?? createPermit(() => !isOver && isValid());
      permits.set(destinationId, permit);
      return permit;
    },
    withdraw(destinationId) {
      permits.get(destinationId)?.withdraw();
      permits.delete(destinationId);
    },
    withdrawAll() {
      isOver = true;
      for (const permit of permits.values()) permit.withdraw();
    },
  };
}
