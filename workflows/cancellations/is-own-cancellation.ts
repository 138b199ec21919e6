import { CancellationScope, isCancellation } from '@temporalio/workflow';

/**
 * Returns true if this workflow, or the scope that the caller is in, was cancelled. A child or an activity that was
 * cancelled by itself fails with the same kind of error, and must not end its parent.
 */
export function isOwnCancellation(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}
