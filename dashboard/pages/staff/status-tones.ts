import type { Schema } from '../../../client/create-client.ts';
import type { Tone } from '../../kit/tone.ts';

type Status = Schema<'InstallationStatus'>;

/** Live workers take the shards of a dead one within this time. */
const LEASE_SECONDS = 3;
const LATE_SECONDS = 5;
/** Shorter than the time after which ChannelsOldestPendingDelivery fires. */
const VERY_LATE_SECONDS = 120;

/** A dead worker matters only while nothing serves its shards. */
export function workersTone({ workers, shards }: Pick<Status, 'workers' | 'shards'>): Tone {
  if (workers.every(({ isLive }) => isLive) && workers.length > 0) return 'good';
  const hasLive = workers.some(({ isLive }) => isLive);
  return hasLive && shards.unservedCount === 0 ? 'warn' : 'bad';
}

export function shardsTone({ unservedCount, unservedSeconds }: Status['shards']): Tone {
  if (unservedCount === 0) return 'good';
  return unservedSeconds < LEASE_SECONDS ? 'warn' : 'bad';
}

export function latenessTone(seconds: number): Tone {
  if (seconds < LATE_SECONDS) return 'good';
  return seconds < VERY_LATE_SECONDS ? 'warn' : 'bad';
}
