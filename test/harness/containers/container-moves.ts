import type { ContainerStatus } from '../../../contract/containers/status.ts';

/**
 * What a container may become, written from the interface's words and not from the table under test: a create is
 * accepted, refused, not sent (error), lost (unknown), or never finished until the platform drops its pieces (expired);
 * what is processed or finished may be published by another hand; a publish that certainly did not happen gives the
 * container back as it was before, and one that nobody could read until the end is unknown for good.
 */
export const containerMoves: Readonly<Record<ContainerStatus, string>> = {
  creating: 'in_progress error expired unknown',
  in_progress: 'finished published error expired',
  finished: 'publishing published error expired',
  publishing: 'published finished in_progress error expired unknown',
  unknown: 'expired',
  published: '',
  error: '',
  expired: '',
};
