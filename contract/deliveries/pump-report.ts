/** How far the pump of a worker is. Contains ids and numbers only, because histories store it. */
export interface PumpReport {
  /** False if the pump has stopped. */
  readonly isServing: boolean;
  /** As ranges, such as `0–63, 128–191`. */
  readonly shards: string;
  /** Of these shards, without deleted ones. */
  readonly destinationCount: number;
  /** Deliveries whose attempt was recorded during the view, rounded to one decimal. */
  readonly settledPerSecond: number;
  /** Deliveries whose retries moved to a workflow since the worker started. */
  readonly promotedCount: number;
  /** Deliveries in the memory of the worker. */
  readonly heldCount: number;
  /** Of the oldest pending delivery whose circuit is closed. 0 if none waits. */
  readonly oldestWaitSeconds: number;
  /** Destinations whose circuit is open. */
  readonly troubledCount: number;
  /** The ones whose circuits have been open longest. At most ten. */
  readonly troubled: readonly TroubledDestination[];
}

export interface TroubledDestination {
  readonly channelId: string;
  /** `webhook`, or the id of a subscription. */
  readonly destination: string;
}
