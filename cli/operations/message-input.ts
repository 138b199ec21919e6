import type { Schema } from '../../client/create-client.ts';
import { readJsonInput } from '../commands/arguments.ts';
import type { Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { readAll } from '../terminal/prompt.ts';

export interface MessageOptions {
  readonly to?: string;
  readonly text?: string;
  readonly input?: string;
}

export async function messageOf(
  { world }: Pick<Run, 'world'>,
  { to, text, input }: MessageOptions,
): Promise<Schema<'MessageInput'>> {
  if (input !== undefined) {
    if (to !== undefined || text !== undefined) throw usageError('--input cannot be combined with --to or --text.');
    return await readJsonInput(world, input);
  }
  if (to === undefined || text === undefined) throw usageError('Missing message. Use --to and --text, or --input.');
  return { to, text: text === '-' ? (await readAll(world.stdin)).toString('utf8').replace(/\n$/, '') : text };
}
