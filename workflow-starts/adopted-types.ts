import type { RunType } from './runs-after-restore.ts';

export interface AdoptedType {
  /** True if a worker is nearly always executing an activity of it, which may be repeated while it runs. */
  readonly mayInterrupt: boolean;
}

/** Types that the upkeep starts again from their rows, without a loss and without sending twice. */
export const adoptedTypes = {
  carryContainer: { mayInterrupt: false },
  deliverWebhook: { mayInterrupt: false },
  deliveryShard: { mayInterrupt: true },
  destinationCircuit: { mayInterrupt: false },
  eraseData: { mayInterrupt: true },
  refreshCredential: { mayInterrupt: false },
  replayDeliveries: { mayInterrupt: true },
  rollOutWebhook: { mayInterrupt: true },
  sendScheduledMessage: { mayInterrupt: false },
} as const satisfies Partial<Record<RunType, AdoptedType>>;
