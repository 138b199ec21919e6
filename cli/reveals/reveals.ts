import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { everyRecord } from '../../client/pages.ts';
import { parseList, parseWholeNumber } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type Column, timeCell } from '../terminal/output.ts';
import { ask, canAsk } from '../terminal/prompt.ts';
import type { Run } from '../commands/run.ts';

export type Reveal = Schema<'SecretReveal'>;
export type MemberKey = Schema<'MemberKey'>;
export type Rotations = Schema<'RevealedRotationList'>;

export interface RotateOptions {
  readonly overlap?: number;
  readonly channel?: readonly string[];
}

export const revealColumns: readonly Column<Reveal>[] = [
  { title: 'CHANNEL', of: ({ channelId }) => channelId },
  { title: 'NAME', of: ({ displayName }) => displayName },
  { title: 'SECRET', of: ({ kind }) => kind },
  { title: 'REVEALED TO', of: ({ revealedTo }) => revealedTo },
  { title: 'LAST REVEALED (UTC)', of: ({ lastRevealedAt }) => timeCell(lastRevealedAt) },
  { title: 'CURRENT', of: ({ current }) => (current ? { text: 'yes', tone: 'bad' } : 'no') },
  { title: 'VALID UNTIL (UTC)', of: ({ endsAt }) => timeCell(endsAt) },
];

export const keyColumns: readonly Column<MemberKey>[] = [
  { title: 'KEY', of: ({ keyId }) => keyId },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'RELATION', of: ({ relation }) => relation },
  { title: 'AGENT', of: ({ agentCredentialId }) => agentCredentialId },
  { title: 'LAST USED (UTC)', of: ({ lastUsedAt }) => timeCell(lastUsedAt) },
];

export function withRotation(command: Command): Command {
  return command
    .option('--overlap <seconds>', 'how long the old secrets stay valid (default: 3600)', parseWholeNumber)
    .option('--channel <ids>', 'IDs of the channels to rotate, comma-separated', parseList);
}

export function rotationBody({ overlap, channel }: RotateOptions): Schema<'RevealedRotationInput'> {
  return omitUndefined({ overlapSeconds: overlap, channels: channel && [...channel] });
}

type PageQuery = { readonly limit: number; readonly cursor?: string };
type Read<Name extends string, Item> = (
  query: PageQuery,
) => Promise<Readonly<Record<Name, readonly Item[]>> & { readonly nextCursor: string | null }>;

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

export function showRotations({ output }: Run, { rotations, remaining }: Rotations): void {
  if (output.isJson) return output.json({ rotations, remaining });
  if (rotations.length === 0) return output.note('No secrets to rotate.');
  output.table(rotations, [
    { title: 'CHANNEL', of: ({ channelId }) => channelId },
    { title: 'SECRET', of: ({ kind }) => kind },
    { title: 'OUTCOME', of: ({ status }) => (status === 'failed' ? { text: status, tone: 'bad' } : status) },
    { title: 'OLD SECRET EXPIRES (UTC)', of: ({ endsAt }) => timeCell(endsAt) },
    { title: 'REASON', of: ({ code }) => code },
  ]);
  if (rotations.some(({ status }) => status === 'needs_save')) {
    output.note('To change a verify token, save the webhook: `channels webhook set <channel> <url> --verify-token …`');
  }
  if (remaining > 0) output.note(`${remaining} secrets remain. Run the command again.`);
}
