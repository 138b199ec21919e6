import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { failureTypes } from '../../contract/failures.ts';
import type { ShareOwner } from '../../process/shares.ts';

/** Below the attempts after which a workflow counts as blocked. About three minutes. */
const MAX_TRIES = 10;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** After the last try, the workflow waits with a timer. */
export const BUSY_WAIT_MS = 60_000;
/** Of calls that take a third of a second, such as those of a full hour: their slots are never idle meanwhile. */
export const SHORT_WAIT_MS = 8_000;

export interface Receiver {
  readonly organizationId: number;
  readonly destinationId: number;
}

/** A destination's share is its own, so that a hanging receiver leaves room for the others of its organization. */
export function receiverOwner({ organizationId, destinationId }: Receiver): ShareOwner {
  return { organizationId, credentialId: `destination:${destinationId}` };
}

/** Of requests that are no deliveries. Each kind has a share of its own, which leaves slots for retries. */
export function requesterOwner(
  kind: 'alerts' | 'notices' | 'rollouts',
  { organizationId }: Pick<Receiver, 'organizationId'>,
): ShareOwner {
  return { organizationId, credentialId: `${kind}:${organizationId}` };
}

/**
 * Ends the activity without an attempt, so that the wait for a slot or a connection holds no slot. The server repeats
 * the activity, which changes no command of its workflow. Returns once the workflow should wait itself.
 */
export function tryAgainLater(maxWaitMs = MAX_WAIT_MS): void {
  const { attempt } = Context.current().info;
  if (attempt >= MAX_TRIES) return;
  throw receiversBusy(Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** (attempt - 1)));
}

/** The server repeats the activity after half of the wait or more. */
export function receiversBusy(waitMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: failureTypes.receiversBusy,
    message: 'Other attempts of the organization or the destination are under way',
    nextRetryDelay: Math.round(waitMs * (0.5 + Math.random() / 2)),
    category: ApplicationFailureCategory.BENIGN,
  });
}
