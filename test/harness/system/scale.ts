const isFull = process.env['SYSTEM_TEST_SCALE'] === 'full';

/** Returns `full` with `SYSTEM_TEST_SCALE=full`, which a release must pass; otherwise `quick`. */
export function sized({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return isFull ? full : quick;
}

/** Far more than a busy machine needs. */
export function patienceMs(eventCount: number): number {
  return 300_000 + eventCount * 10;
}
