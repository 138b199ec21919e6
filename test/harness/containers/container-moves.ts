import type { ContainerStatus } from '../../../contract/containers/status.ts';

/**
 * Allowed status changes of a container, written from the specification and not from the table under test. A publish
 * that is known to have failed restores the previous status; one that can't be verified stays unknown. A late response
 * to a create tells what became of it.
 */
export const containerMoves: Readonly<Record<ContainerStatus, string>> = {
  creating: 'in_progress error expired unknown',
  in_progress: 'finished published error expired',
  finished: 'publishing published error expired',
  publishing: 'published finished in_progress error expired unknown',
  unknown: 'creating in_progress error expired',
  published: '',
  error: '',
  expired: '',
};
