import type { Schema } from '../../../client/create-client.ts';
import type { Tone } from '../../kit/tone.ts';
import { counted, numberText } from '../../kit/texts/counted.ts';
import { durationText } from '../../kit/texts/duration-text.ts';

export type Replay = Schema<'Replay'>;

export const replayTones: Readonly<Record<Replay['status'], Tone>> = {
  planning: 'info',
  running: 'info',
  paused: 'warn',
  completed: 'good',
  cancelled: 'neutral',
};

/** Whether somebody can still move it. */
export function isOpen({ status }: Pick<Replay, 'status'>): boolean {
  return status === 'planning' || status === 'running' || status === 'paused';
}

/** Whether its numbers may still change: what it has sent goes on after its end. */
export function isMoving(replay: Pick<Replay, 'status' | 'waiting'>): boolean {
  return isOpen(replay) || replay.waiting > 0;
}

/** How far it is, in a sentence. */
export function progressText({ status, matched, sent, ratePerSecond }: Replay): string {
  if (status === 'planning') return `Planning: ${counted(matched, 'event')} counted.`;
  const soFar = `${numberText(sent)} of ${counted(matched, 'event')} sent`;
  if (status === 'running') {
    const left = durationText(((matched - sent) / ratePerSecond) * 1_000);
    return `${soFar}; ${left} to go at ${numberText(ratePerSecond)} a second.`;
  }
  return `${soFar}.`;
}

/** What a scope covers, for people. */
export function scopeText(scope: string): string {
  const [kind = '', id = ''] = scope.split(':');
  return kind === 'channel' ? id : kind === 'workspace' ? 'the whole workspace' : 'the whole organization';
}
