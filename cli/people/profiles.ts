import type { Command } from 'commander';
import { group, leaf } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { changeProfile, changeProfiles, type Profile, profileOf, readProfiles } from '../profiles/profiles.ts';
import type { Act, Run } from '../commands/run.ts';

export function addProfiles(program: Command, act: Act): void {
  const profiles = group(program, 'profiles', 'Sets of address and credential that are kept on this computer');
  leaf(profiles, 'list', { summary: 'Lists the profiles', examples: ['channels profiles list'] }).action(act(list));
  leaf(profiles, 'use <name>', {
    summary: 'Makes a profile the one that is used where none is named',
    examples: ['channels profiles use production'],
  }).action(act(use));
  leaf(profiles, 'set', {
    summary: 'Keeps --workspace, --organization or --base-url in the profile',
    examples: [
      'channels profiles set --workspace ws_4fT9aPq2',
      'channels profiles set --profile test --base-url http://localhost:3000',
    ],
  }).action(act(set));
  leaf(profiles, 'delete <name>', {
    summary: 'Forgets a profile; its credential goes on at the service',
    examples: ['channels profiles delete test'],
  }).action(act(remove));
}

async function list({ world, output, settings }: Run): Promise<void> {
  const { current, profiles } = await readProfiles(world.configFolder);
  const shown = Object.entries(profiles).map(([name, { baseUrl, workspaceId, credential }]) => ({
    name,
    isCurrent: name === current,
    baseUrl: baseUrl ?? null,
    workspaceId: workspaceId ?? null,
    credential: credential?.kind ?? null,
  }));
  if (output.isJson) return output.json({ profiles: shown });
  if (shown.length === 0) return output.note('There are no profiles; `channels login` makes one.');
  output.table(shown, [
    { title: 'PROFILE', of: ({ name }) => (name === settings.profileName ? { text: name, tone: 'strong' } : name) },
    { title: 'CURRENT', of: ({ isCurrent }) => (isCurrent ? 'yes' : '') },
    { title: 'SERVICE', of: ({ baseUrl }) => baseUrl },
    { title: 'WORKSPACE', of: ({ workspaceId }) => workspaceId },
    { title: 'SIGNED IN', of: ({ credential }) => credential },
  ]);
}

async function use({ world, output }: Run, name: string): Promise<void> {
  await changeProfiles(world.configFolder, (all) => {
    if (!profileOf(all, name)) throw unknownProfile(name);
    return { ...all, current: name };
  });
  output.done({ profile: name }, `The profile is ${name} from now on.`);
}

async function set({ world, output, settings }: Run): Promise<void> {
  const { profileName, workspaceId, organizationId, baseUrl, profile } = settings;
  const fromFlag = (one: typeof workspaceId) => (one?.source === 'flag' ? one.value : undefined);
  const changes: Profile = given({
    workspaceId: fromFlag(workspaceId),
    organizationId: fromFlag(organizationId),
    baseUrl: fromFlag(baseUrl),
  });
  if (Object.keys(changes).length === 0) throw usageError('Say --workspace, --organization or --base-url.');
  if (profile.credential && changes.baseUrl !== undefined && changes.baseUrl !== profile.baseUrl) {
    throw usageError(
      `The profile ${profileName} is signed in at ${profile.baseUrl}, and its credential is for that service alone.`,
      'Sign out first, or use another name: --profile <name>.',
    );
  }
  await changeProfile(world.configFolder, profileName, (stored) => ({ ...stored, ...changes }));
  output.done({ profile: profileName, ...changes }, `The profile ${profileName} has it.`);
}

async function remove({ world, output }: Run, name: string): Promise<void> {
  await changeProfile(world.configFolder, name, (profile) => {
    if (Object.keys(profile).length === 0) throw unknownProfile(name);
    return undefined;
  });
  output.done({ profile: name }, `The profile ${name} is forgotten.`);
}

function unknownProfile(name: string): Error {
  return usageError(`There is no profile ${name}.`, 'See `channels profiles list`.');
}
