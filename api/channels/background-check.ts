import type { ApiShares } from '../requests/api-shares.ts';
import { TooManyRequests } from '../requests/errors.ts';
import type { WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';

export interface BackgroundCheckDeps {
  readonly starts: Pick<WorkflowStarts, 'checkHealth'>;
  readonly shares: Pick<ApiShares, 'interactive'>;
}

export interface BackgroundCheck {
  readonly organizationId: number;
  readonly channelId: string;
  readonly workspaceId: string;
}

/**
 * Checks a channel's health in the background, in a slot of its organization. Returns false if the
 * organization has none or Temporal is unreachable: the schedule checks the channel, which must be due.
 */
export async function checkInBackground(
  { starts, shares }: BackgroundCheckDeps,
  { organizationId, ...check }: BackgroundCheck,
): Promise<boolean> {
  try {
    const started = await shares.interactive.during({ organizationId }, () => starts.checkHealth(check));
    return started.state !== 'not_started';
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}
