import { changeProfile, type PendingLogin, profileOf, readProfiles } from './profiles.ts';
import type { World } from '../terminal/world.ts';

interface Place {
  readonly world: Pick<World, 'configFolder'>;
  readonly profileName: string;
}

/** Remembers where a code was requested, so that the command with the code needs no address. */
export async function rememberLogin({ world, profileName }: Place, pendingLogin: PendingLogin): Promise<void> {
  await changeProfile(world.configFolder, profileName, (profile) => ({ ...profile, pendingLogin }));
}

export async function pendingLoginOf({ world, profileName }: Place): Promise<PendingLogin | undefined> {
  return profileOf(await readProfiles(world.configFolder), profileName)?.pendingLogin;
}
