import type { Schema } from '../../../client/create-client.ts';
import { finalContainerStatuses } from '../../../contract/containers/status.ts';
import type { Tone } from '../../kit/tone.ts';

export type Container = Schema<'MediaContainer'>;

export const containerTones: Readonly<Record<Container['status'], Tone>> = {
  creating: 'info',
  in_progress: 'info',
  finished: 'good',
  publishing: 'info',
  published: 'good',
  error: 'bad',
  expired: 'neutral',
  unknown: 'warn',
};

export const containerStatusTexts: Readonly<Record<Container['status'], string>> = {
  creating: 'Waiting for the platform to accept it.',
  in_progress: 'The platform is processing the media. This page updates automatically.',
  finished: 'Ready. Publish it before it expires.',
  publishing: 'The platform is publishing it.',
  published: 'Published.',
  error: "Failed. It can't be published: create a new container.",
  expired: 'Expired. The platform keeps a container for 24 hours: create a new one.',
  unknown: "The platform's response was lost. Check the account before you create it again.",
};

/** Returns whether the status changes without user action. */
export function isContainerInProgress({ status }: Pick<Container, 'status'>): boolean {
  return !finalContainerStatuses.includes(status) && status !== 'finished' && status !== 'unknown';
}

export const containerSteps = ['Created', 'Processed', 'Published'] as const;

export function stepsDone({ status }: Pick<Container, 'status'>): number {
  switch (status) {
    case 'creating':
    case 'unknown':
      return 0;
    case 'in_progress':
    case 'error':
    case 'expired':
      return 1;
    case 'finished':
    case 'publishing':
      return 2;
    case 'published':
      return 3;
  }
}
