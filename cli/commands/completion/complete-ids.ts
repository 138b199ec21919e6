import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openConnection } from '../../profiles/connection.ts';
import { ensurePrivateFolder, readTextIfExists, writePrivateFile } from '../../profiles/files.ts';
import { readProfiles } from '../../profiles/profiles.ts';
import { type GlobalOptions, resolveSettings, type Settings } from '../../profiles/settings.ts';
import { safeLine } from '../../../contract/text/safe-text.ts';
import type { World } from '../../terminal/world.ts';
import { type CompletedId, idKinds, type IdKind, readIds } from './read-ids.ts';

/** A person who pressed Tab waits no longer. */
const DEFAULT_TIMEOUT_MS = 2_000;
/** Long enough for the keys of one command line. */
const KEPT_MS = 30_000;
const MAX_KEPT = 20;

interface Kept {
  readonly atMs: number;
  readonly ids: readonly CompletedId[];
}

/**
 * Prints the IDs of a kind for the shell's completion, one a line with a label after a tab. `words` are those of the
 * command line. Prints nothing if the service cannot tell in time: a shell has no place for errors.
 */
export async function completeIds(
  world: World,
  [kind, ...words]: readonly string[],
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<void> {
  const known = idKinds.find((one) => one === kind);
  if (known === undefined) return;
  const ids = await idsOf(limited(world, timeoutMs), known, words).catch(() => []);
  for (const { id, label } of ids) world.stdout.write(`${id}\t${safeLine(label)}\n`);
}

function limited(world: World, timeoutMs: number): World {
  return { ...world, signal: AbortSignal.any([world.signal, AbortSignal.timeout(timeoutMs)]) };
}

async function idsOf(world: World, kind: IdKind, words: readonly string[]): Promise<readonly CompletedId[]> {
  if (kind === 'profile') {
    const { profiles } = await readProfiles(world.configFolder);
    return Object.entries(profiles).map(([id, { baseUrl }]) => ({ id, label: baseUrl ?? '' }));
  }
  const settings = await resolveSettings(world, optionsIn(words));
  const ch = words.findLast((word) => /^ch_[A-Za-z0-9]{8}$/.test(word));
  const path = join(world.configFolder, 'completion.json');
  const key = keyOf(settings, [kind, kind === 'subscription' ? (ch ?? '') : '']);
  const kept = await readKept(path);
  const found = kept[key];
  if (found && world.now() - found.atMs < KEPT_MS) return found.ids;
  const connection = openConnection({ world, settings, note: () => undefined });
  const ids = await readIds(connection, { kind, ch });
  const { [key]: _, ...others } = kept;
  const latest = Object.entries(others).slice(1 - MAX_KEPT);
  await ensurePrivateFolder(world.configFolder);
  await writePrivateFile(path, JSON.stringify({ ...Object.fromEntries(latest), [key]: { atMs: world.now(), ids } }));
  return ids;
}

/** The credential is part of the key, so that the IDs of the previous account are not completed. */
function keyOf({ baseUrl, workspaceId, organizationId, credential }: Settings, rest: readonly string[]): string {
  const parts = [baseUrl.value, workspaceId?.value, organizationId?.value, credential?.value, ...rest];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

async function readKept(path: string): Promise<Readonly<Record<string, Kept>>> {
  try {
    return JSON.parse((await readTextIfExists(path)) ?? '{}') as Record<string, Kept>;
  } catch {
    return {};
  }
}

const names = {
  '--base-url': 'baseUrl',
  '--workspace': 'workspace',
  '--organization': 'organization',
  '--profile': 'profile',
} as const;

function optionsIn(words: readonly string[]): GlobalOptions {
  const options: Partial<Record<(typeof names)[keyof typeof names], string>> = {};
  for (const [flag, name] of Object.entries(names)) {
    const value = words[words.lastIndexOf(flag) + 1];
    if (words.includes(flag) && value !== undefined) options[name] = value;
  }
  return options;
}
