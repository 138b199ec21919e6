import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { everyRecord } from '../../client/pages.ts';
import { type Flags, wholeNumber, words } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Run } from '../commands/run.ts';
import { formatTime, type View } from '../terminal/output.ts';
import { ask, canAsk } from '../terminal/prompt.ts';

type Reveal = Schema<'SecretReveal'>;
type Cancellation = Schema<'ScheduledCancellation'>;

export const revealColumns: View<Reveal> = {
  CHANNEL: 'channelId',
  NAME: 'displayName',
  SECRET: 'kind',
  'REVEALED TO': 'revealedTo',
  'LAST REVEALED (UTC)': 'lastRevealedAt',
  CURRENT: ({ current }) => (current ? { text: 'yes', tone: 'bad' } : 'no'),
  'VALID UNTIL (UTC)': 'endsAt',
};

export const rotation = {
  overlapSeconds: ['--overlap <seconds>', 'how long the old secrets stay valid (default: 3600)', wholeNumber],
  channels: ['--channel <ids>', 'IDs of the channels to rotate, comma-separated', words],
} as const satisfies Flags;

type PageQuery = { readonly limit: number; readonly cursor?: string };
type Read<Name extends string, Item> = (
  query: PageQuery,
) => Promise<Readonly<Record<Name, readonly Item[]>> & { readonly nextCursor: string | null }>;

/** Returns undefined if this credential may not read the list. */
export async function readEvery<Name extends string, Item>(
  name: Name,
  read: Read<Name, Item>,
): Promise<Item[] | undefined> {
  try {
    return await everyRecord(
      (cursor) => read({ limit: 100, ...omitUndefined({ cursor }) }),
      (page) => page[name],
    );
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 403) return undefined;
    throw error;
  }
}

/** Prints the current secrets. Returns how many there are. */
export function noteReveals({ output }: Run, reveals: readonly Reveal[] | undefined): number {
  if (reveals === undefined) {
    output.note('This credential may not list revealed secrets.');
    return 0;
  }
  const current = reveals.filter((reveal) => reveal.current);
  for (const { kind, channelId, displayName } of current)
    output.note(`Revealed: ${kind} of ${channelId} (${displayName})`);
  return current.length;
}

export async function acceptsOffer(
  { world }: Run,
  question: string,
  { option, yes }: { readonly option: boolean | undefined; readonly yes: boolean | undefined },
): Promise<boolean> {
  if (option) return true;
  if (yes || !canAsk(world)) return false;
  return /^y(?:es)?$/i.test(await ask(world, `${question} [y/N] `));
}

export function showRotations({ output }: Run, { rotations, remaining }: Schema<'RevealedRotationList'>): void {
  if (output.isJson) return output.json({ rotations, remaining });
  if (rotations.length === 0) return output.note('No secrets to rotate.');
  output.table(rotations, {
    CHANNEL: 'channelId',
    SECRET: 'kind',
    OUTCOME: ({ status }) => (status === 'failed' ? { text: status, tone: 'bad' } : status),
    'OLD SECRET EXPIRES (UTC)': 'endsAt',
    REASON: 'code',
  });
  if (rotations.some(({ status }) => status === 'needs_save')) {
    output.note('To change a verify token, save the webhook: `channels webhook set <channel> <url> --verify-token …`');
  }
  if (remaining > 0) output.note(`${remaining} secrets remain. Run the command again.`);
}

export const CANCEL_QUESTION = 'Cancel what it has scheduled?';

/** Prints what a key has scheduled. Returns how much it is. */
export async function noteScheduled({ output }: Run, read: () => Promise<Schema<'ScheduledByKey'>>): Promise<number> {
  try {
    const { scheduled, messageCount, postCount } = await read();
    for (const { kind, id, channelId, dueAt } of scheduled)
      output.note(`Scheduled: ${kind} ${id} of ${channelId}, due ${formatTime(dueAt)} UTC`);
    const count = messageCount + postCount;
    if (count > scheduled.length) output.note(`Scheduled: ${count - scheduled.length} more`);
    return count;
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 403) throw error;
    output.note('This credential may not list what the key has scheduled.');
    return 0;
  }
}

export function showScheduledEnd(
  { output }: Run,
  { count, cancellations }: { readonly count: number; readonly cancellations: readonly Cancellation[] | undefined },
): void {
  if (cancellations && cancellations.length > 0) {
    output.table(cancellations, {
      KIND: 'kind',
      ID: 'id',
      CHANNEL: 'channelId',
      'DUE (UTC)': 'dueAt',
      OUTCOME: ({ outcome }) => (outcome === 'too_late' ? { text: outcome, tone: 'bad' } : outcome),
    });
  }
  if (!cancellations && count > 0) output.note('What it has scheduled is still sent and published.');
}
