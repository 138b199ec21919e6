import type { Schema } from '../../../client/create-client.ts';
import type { Tone } from '../../kit/tone.ts';

export type ScheduledMessage = Schema<'ScheduledMessage'>;

export const scheduledMessageTones: Readonly<Record<ScheduledMessage['status'], Tone>> = {
  scheduled: 'info',
  sending: 'info',
  sent: 'good',
  failed: 'bad',
  unknown: 'warn',
  cancelled: 'neutral',
};

/** Returns an instant as a `datetime-local` value in the reader's time zone. */
export function localTimeOf(instant: string): string {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
