import { createShares, type Shares } from '../process/shares.ts';
import { activitySlots } from './activity-workers.ts';

/** What tenants share in a worker process. docs/security.md lists them. */
export interface WorkerShares {
  /** Replays and erasures, which hold a slot for a minute at a time. */
  readonly upkeep: Shares;
  /** Sends of scheduled messages, and creations of the containers of scheduled posts. */
  readonly media: Shares;
  /** Requests to receivers outside the pump: retries, probes, notices, alert calls and rollouts. */
  readonly receivers: Shares;
}

/** A quarter of the slots. Beyond it, work continues in slices. */
const UPKEEP_DIVISOR = 4;

/** At a third of a second for each send, 60 per second. */
const PER_SENDING_ORGANIZATION = 20;

/** At 10 s for each attempt, two attempts per second at a hanging receiver. */
const PER_DESTINATION = 20;
const PER_RECEIVING_ORGANIZATION = 40;

export function createWorkerShares(): WorkerShares {
  const inAll = activitySlots.upkeep;
  const perOrganization = Math.floor(inAll / UPKEEP_DIVISOR);
  const { receivers, media } = activitySlots;
  return {
    upkeep: createShares({ perCredential: perOrganization, perOrganization, inAll }),
    media: createShares({
      perCredential: PER_SENDING_ORGANIZATION,
      perOrganization: PER_SENDING_ORGANIZATION,
      inAll: media,
    }),
    receivers: createShares({
      perCredential: PER_DESTINATION,
      perOrganization: PER_RECEIVING_ORGANIZATION,
      inAll: receivers,
    }),
  };
}
