/** The worker process that holds a shard's lease. */
export interface ShardHolder {
  /** Also the end of the name of the worker's own task queue. */
  readonly holder: string;
  /** Grows with each acquisition. */
  readonly fence: number;
}
