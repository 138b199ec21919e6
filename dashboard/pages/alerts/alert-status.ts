import type { Schema } from '../../../client/create-client.ts';
import type { Tone } from '../../kit/tone.ts';

export type Alert = Schema<'Alert'>;

export const severityTones: Readonly<Record<Alert['severity'], Tone>> = { warning: 'warn', critical: 'bad' };

export function statusOf({ status, acknowledgedAt, mutedUntil }: Alert): string {
  if (status === 'resolved') return 'resolved';
  const notes = [acknowledgedAt !== null && 'acknowledged', mutedUntil !== null && 'muted'];
  return ['open', ...notes.filter((note) => note !== false)].join(', ');
}
