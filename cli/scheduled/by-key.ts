import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Run } from '../commands/run.ts';
import { type Column, timeCell } from '../terminal/output.ts';

type Cancellation = Schema<'ScheduledCancellation'>;

export const CANCEL_QUESTION = 'Cancel what it has scheduled?';

/** Prints what a key has scheduled. Returns how much it is. */
export async function noteScheduled({ output }: Run, read: () => Promise<Schema<'ScheduledByKey'>>): Promise<number> {
  try {
    const { scheduled, messageCount, postCount } = await read();
    for (const { kind, id, channelId, dueAt } of scheduled)
      output.note(`Scheduled: ${kind} ${id} of ${channelId}, due ${dueAt}`);
    const count = messageCount + postCount;
    if (count > scheduled.length) output.note(`Scheduled: ${count - scheduled.length} more`);
    return count;
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 403) throw error;
    output.note('This credential may not list what the key has scheduled.');
    return 0;
  }
}

const columns: readonly Column<Cancellation>[] = [
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'ID', of: ({ id }) => id },
  { title: 'CHANNEL', of: ({ channelId }) => channelId },
  { title: 'DUE (UTC)', of: ({ dueAt }) => timeCell(dueAt) },
  { title: 'OUTCOME', of: ({ outcome }) => (outcome === 'too_late' ? { text: outcome, tone: 'bad' } : outcome) },
];

export function showScheduledEnd(
  { output }: Run,
  { count, cancellations }: { readonly count: number; readonly cancellations: readonly Cancellation[] | undefined },
): void {
  if (cancellations && cancellations.length > 0) output.table(cancellations, columns);
  if (!cancellations && count > 0) output.note('What it has scheduled is still sent and published.');
}
