import { defineSignal } from '@temporalio/workflow';
import type { ShardHolder } from '../../contract/deliveries/shard-holder.ts';

/** A worker has acquired the shard's lease, or serves the shard without being shown. */
export const shardHeld = defineSignal<[ShardHolder]>('shardHeld');

export function isShardHolder(argument: unknown): argument is ShardHolder {
  const { holder, fence } = Object(argument);
  return typeof holder === 'string' && Number.isSafeInteger(fence);
}
