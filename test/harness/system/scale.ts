const isFull = process.env['SYSTEM_TEST_SCALE'] === 'full';

/** How many: few enough for every run of the tests, or with `SYSTEM_TEST_SCALE=full` as many as a release is held to. */
export function sized({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return isFull ? full : quick;
}

/** Far beyond what a busy machine needs for so many events. */
export function patienceMs(eventCount: number): number {
  return 120_000 + eventCount * 5;
}
