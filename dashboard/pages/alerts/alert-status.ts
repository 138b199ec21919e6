import type { Schema } from '../../../client/create-client.ts';
import type { Tone } from '../../kit/tone.ts';

export type Alert = Schema<'Alert'>;

export const severityTones: Readonly<Record<Alert['severity'], Tone>> = { warning: 'warn', critical: 'bad' };

export function statusOf({ status, acknowledgedAt, mutedUntil }: Alert): string {
  if (status === 'resolved') return 'resolved';
  const notes = [acknowledgedAt !== null && 'acknowledged', mutedUntil !== null && 'muted'];
  return ['open', ...notes.filter((note) => note !== false)].join(', ');
}

/** The page of the thing that the alert is about. */
export function subjectPage({ subject: { type, id }, channelId }: Alert): string | undefined {
  if (type === 'replay' && id !== null) return `replays/${id}`;
  if (channelId === null) return undefined;
  if (type === 'container' && id !== null) return `channels/${channelId}/containers/${id}`;
  if (type === 'webhook') return `channels/${channelId}/webhook`;
  if (type === 'subscription') return `channels/${channelId}/subscriptions`;
  return `channels/${channelId}`;
}
