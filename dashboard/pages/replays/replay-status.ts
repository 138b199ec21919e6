import type { Schema } from '../../../client/create-client.ts';
import { formatDuration, formatNumber, pluralize } from '../../kit/format/format.ts';
import type { Tone } from '../../kit/tone.ts';

export type Replay = Schema<'Replay'>;

export const replayTones: Readonly<Record<Replay['status'], Tone>> = {
  planning: 'info',
  running: 'info',
  paused: 'warn',
  completed: 'good',
  cancelled: 'neutral',
};

export function isOpen({ status }: Pick<Replay, 'status'>): boolean {
  return status === 'planning' || status === 'running' || status === 'paused';
}

/** Returns whether the counts may still change. Deliveries continue after the replay ends. */
export function isInProgress(replay: Pick<Replay, 'status' | 'waiting'>): boolean {
  return isOpen(replay) || replay.waiting > 0;
}

export function describeProgress({ status, matched, sent, ratePerSecond }: Replay): string {
  if (status === 'planning') return `Planning: ${pluralize(matched, 'event')} counted.`;
  const soFar = `${formatNumber(sent)} of ${pluralize(matched, 'event')} sent`;
  if (status === 'running') {
    const left = formatDuration(((matched - sent) / ratePerSecond) * 1_000);
    return `${soFar}; ${left} to go at ${formatNumber(ratePerSecond)} a second.`;
  }
  return `${soFar}.`;
}
