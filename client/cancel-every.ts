import type { Schema } from './create-client.ts';

/** Repeats the request until nothing remains. Stops if a repetition cancels nothing. */
export async function cancelEvery(
  cancel: () => Promise<Schema<'ScheduledCancellationList'>>,
): Promise<Schema<'ScheduledCancellation'>[]> {
  const all: Schema<'ScheduledCancellation'>[] = [];
  for (;;) {
    const { cancellations, remaining } = await cancel();
    all.push(...cancellations);
    if (remaining === 0 || cancellations.every(({ outcome }) => outcome === 'too_late')) return all;
  }
}
