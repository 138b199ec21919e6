import { SHARD_COUNT } from '../../../contract/deliveries/shards.ts';

/** Returns the shard of a destination that is not a listener. */
export const shardOf = (destinationId: number): number => (destinationId * 159) % SHARD_COUNT;
