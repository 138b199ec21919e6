const isFull = process.env['SYSTEM_TEST_SCALE'] === 'full';

/** Returns the quick count, or with `SYSTEM_TEST_SCALE=full` the count that a release must pass. */
export function sized({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return isFull ? full : quick;
}

/** Far more than a busy machine needs for this number of events. */
export function patienceMs(eventCount: number): number {
  return 120_000 + eventCount * 5;
}
