import { SHARD_COUNT } from '../../../contract/deliveries/shards.ts';

/** Of a destination that is no listener. */
export const shardOf = (destinationId: number): number => (destinationId * 159) % SHARD_COUNT;
