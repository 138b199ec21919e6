const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after failed attempts of a signed notice that is no delivery; about a day in all. */
export const noticeWaitsMs: readonly number[] = [
  ...[0.5, 2, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 8].map((hours) => hours * HOUR_MS),
];
