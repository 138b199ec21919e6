/**
 * Destinations are spread over this many shards. It is fixed for ever: `destinations.shard` is computed from it, and
 * never changes. A worker serves ranges of shards, and the column puts consecutive ids far apart, so that even the first
 * few are spread over all workers.
 */
export const SHARD_COUNT = 256;

export const allShards: readonly number[] = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
