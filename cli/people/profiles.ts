import { command, group } from '../commands/definition.ts';
import { yes } from '../commands/flags.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { changeProfile, changeProfiles, type Profile, profileOf, readProfiles } from '../profiles/profiles.ts';
import { confirm } from '../terminal/prompt.ts';

export const profiles = group('profiles', 'Manage profiles saved on this computer', [
  command('list', {
    summary: 'List profiles',
    async run({ world, output, settings }) {
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
      output.table(shown, {
        PROFILE: ({ name }) => (name === settings.profileName ? { text: name, tone: 'strong' } : name),
        CURRENT: ({ isCurrent }) => (isCurrent ? 'yes' : ''),
        SERVICE: 'baseUrl',
        WORKSPACE: 'workspaceId',
        CREDENTIAL: 'credential',
      });
    },
  }),
  command('use <name>', {
    summary: 'Set the current profile',
    examples: 'production',
    async run({ world, output }, [name]) {
      await changeProfiles(world.configFolder, (all) => {
        if (!profileOf(all, name)) throw unknownProfile(name);
        return { ...all, current: name };
      });
      output.done({ profile: name }, `Switched to profile ${name}.`);
    },
  }),
  command('set', {
    summary: 'Save --workspace, --organization or --base-url in the profile',
    examples: ['--workspace ws_4fT9aPq2', '--profile test --base-url http://localhost:3000'],
    async run({ world, output, settings }) {
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
    },
  }),
  command('delete <name>', {
    summary: 'Delete a profile; its credential stays valid at the service',
    examples: 'test --yes',
    flags: yes,
    async run({ world, output }, [name], options) {
      if (profileOf(await readProfiles(world.configFolder), name) === undefined) throw unknownProfile(name);
      await confirm(world, `Delete profile ${name} and its credential from this computer?`, options);
      await changeProfile(world.configFolder, name, (profile) => {
        if (Object.keys(profile).length === 0) throw unknownProfile(name);
        return undefined;
      });
      output.done({ profile: name }, `Deleted profile ${name}.`);
    },
  }),
]);

function unknownProfile(name: string): Error {
  return usageError(`No profile '${name}'.`, 'See `channels profiles list`.');
}
