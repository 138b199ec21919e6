import { grantableScopes, type Scope, scopes as allScopes } from '../../contract/identity/scopes.ts';
import { parseList } from '../commands/arguments.ts';
import type { Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { ask, canAsk } from '../terminal/prompt.ts';

const READING: readonly Scope[] = ['workspace.read', 'channel.read', 'messages.read', 'deliveries.read'];
const OPERATING = grantableScopes({ role: 'member', isDeveloper: false });
const DEVELOPING = grantableScopes({ role: 'member', isDeveloper: true });
const presets: Readonly<Record<string, readonly Scope[]>> = {
  read: READING,
  operate: OPERATING,
  develop: DEVELOPING,
  all: allScopes,
};

export async function wantedScopes({ world }: Run, words: readonly string[] | undefined): Promise<Scope[]> {
  if (words !== undefined) return scopesFrom(words);
  if (!canAsk(world)) return [...OPERATING];
  world.stderr.write('Choose the scopes of this key:\n  read     view channels, messages and deliveries\n');
  world.stderr.write(
    '  operate  also connect, send, publish, set webhooks and replay\n  develop  also reveal channel tokens and secrets\n  all      also manage workspaces and credentials\n',
  );
  const answer = await ask(world, 'Scopes (read, operate, develop, all or a list) [operate]: ');
  return scopesFrom(parseList(answer === '' ? 'operate' : answer));
}

function scopesFrom(words: readonly string[]): Scope[] {
  const found = words.flatMap((word) => presetOf(word) ?? allScopes.filter((scope) => scope === word));
  const wrong = words.find((word) => presetOf(word) === undefined && !allScopes.some((scope) => scope === word));
  if (wrong !== undefined)
    throw usageError(
      `Unknown scope '${wrong}'.`,
      `Use read, operate, develop, all, or a list of ${allScopes.join(', ')}.`,
    );
  return [...new Set(found)];
}

function presetOf(word: string): readonly Scope[] | undefined {
  return Object.hasOwn(presets, word) ? presets[word] : undefined;
}
