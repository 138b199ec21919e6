import { createShares, type Shares } from '../process/shares.ts';
import { activitySlots } from './activity-workers.ts';

/** What tenants share in a worker process. docs/security.md lists them. */
export interface WorkerShares {
  /** Replays and erasures, which hold a slot for a minute at a time. */
  readonly upkeep: Shares;
}

/** A quarter of the slots. Beyond it, work continues in slices. */
const UPKEEP_DIVISOR = 4;

export function createWorkerShares(): WorkerShares {
  const inAll = activitySlots.upkeep;
  const perOrganization = Math.floor(inAll / UPKEEP_DIVISOR);
  return { upkeep: createShares({ perCredential: perOrganization, perOrganization, inAll }) };
}
