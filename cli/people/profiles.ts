import type { Command } from 'commander';
import { addGroup, addCommand } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { changeProfile, changeProfiles, type Profile, profileOf, readProfiles } from '../profiles/profiles.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

export function addProfiles(program: Command, act: Act): void {
  const profiles = addGroup(program, 'profiles', 'Manage profiles saved on this computer');
  addCommand(profiles, 'list', { summary: 'List profiles', examples: ['channels profiles list'] }).action(act(list));
  addCommand(profiles, 'use <name>', {
    summary: 'Set the current profile',
    examples: ['channels profiles use production'],
  }).action(act(use));
  addCommand(profiles, 'set', {
    summary: 'Save --workspace, --organization or --base-url in the profile',
    examples: [
      'channels profiles set --workspace ws_4fT9aPq2',
      'channels profiles set --profile test --base-url http://localhost:3000',
    ],
  }).action(act(set));
  addCommand(profiles, 'delete <name>', {
    summary: 'Delete a profile; its credential stays valid at the service',
    examples: ['channels profiles delete test --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(remove));
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
  if (shown.length === 0) return output.note('No profiles found. Create one with `channels login`.');
  output.table(shown, [
    { title: 'PROFILE', of: ({ name }) => (name === settings.profileName ? { text: name, tone: 'strong' } : name) },
    { title: 'CURRENT', of: ({ isCurrent }) => (isCurrent ? 'yes' : '') },
    { title: 'SERVICE', of: ({ baseUrl }) => baseUrl },
    { title: 'WORKSPACE', of: ({ workspaceId }) => workspaceId },
    { title: 'CREDENTIAL', of: ({ credential }) => credential },
  ]);
}

async function use({ world, output }: Run, name: string): Promise<void> {
  await changeProfiles(world.configFolder, (all) => {
    if (!profileOf(all, name)) throw unknownProfile(name);
    return { ...all, current: name };
  });
  output.done({ profile: name }, `Switched to profile ${name}.`);
}

async function set({ world, output, settings }: Run): Promise<void> {
  const { profileName, workspaceId, organizationId, baseUrl, profile } = settings;
  const fromFlag = (one: typeof workspaceId) => (one?.source === 'flag' ? one.value : undefined);
  const changes: Profile = omitUndefined({
    workspaceId: fromFlag(workspaceId),
    organizationId: fromFlag(organizationId),
    baseUrl: fromFlag(baseUrl),
  });
  if (Object.keys(changes).length === 0)
    throw usageError('Nothing to save. Use --workspace, --organization or --base-url.');
  if (profile.credential && changes.baseUrl !== undefined && changes.baseUrl !== profile.baseUrl) {
    throw usageError(
      `Profile ${profileName} is signed in to ${profile.baseUrl}, and its credential works only there.`,
      'Sign out first, or use another profile with --profile <name>.',
    );
  }
  await changeProfile(world.configFolder, profileName, (stored) => ({ ...stored, ...changes }));
  output.done({ profile: profileName, ...changes }, `Saved in profile ${profileName}.`);
}

async function remove({ world, output }: Run, name: string, options: { yes?: boolean }): Promise<void> {
  if (profileOf(await readProfiles(world.configFolder), name) === undefined) throw unknownProfile(name);
  await confirm(world, `Delete profile ${name} and its credential from this computer?`, options);
  await changeProfile(world.configFolder, name, (profile) => {
    if (Object.keys(profile).length === 0) throw unknownProfile(name);
    return undefined;
  });
  output.done({ profile: name }, `Deleted profile ${name}.`);
}

function unknownProfile(name: string): Error {
  return usageError(`No profile '${name}'.`, 'See `channels profiles list`.');
}
