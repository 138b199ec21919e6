import type { Schema } from '../../../client/create-client.ts';
import { finalContainerStatuses } from '../../../contract/containers/status.ts';
import type { Tone } from '../../kit/tone.ts';

export type Container = Schema<'MediaContainer'>;

export const containerTones: Readonly<Record<Container['status'], Tone>> = {
  creating: 'info',
  in_progress: 'info',
  finished: 'warn',
  publishing: 'info',
  published: 'good',
  error: 'bad',
  expired: 'neutral',
  unknown: 'warn',
};

/** What each state means and what can be done in it. */
export const containerStateWords: Readonly<Record<Container['status'], string>> = {
  creating: 'The platform is being asked to take it.',
  in_progress: 'The platform works on the media. It is looked at again and again.',
  finished: 'It is ready: publish it before it expires.',
  publishing: 'It is being published.',
  published: 'It is published.',
  error: 'It failed and will not be published. Make a new one.',
  expired: 'The platform keeps a container for 24 hours; this one is over.',
  unknown: "The platform's answer was lost. Look at the account before you make it again.",
};

/** Whether it changes by itself. */
export function isContainerMoving({ status }: Pick<Container, 'status'>): boolean {
  return !finalContainerStatuses.includes(status) && status !== 'finished' && status !== 'unknown';
}

/** The way of a container from its making to the post, and how far it is. */
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
