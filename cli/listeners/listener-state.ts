import { join } from 'node:path';
import { changeJsonFile, readTextIfExists } from '../profiles/files.ts';

type Listeners = Readonly<Record<string, string>>;

export interface ListenerKey {
  readonly profileName: string;
  readonly baseUrl: string;
  readonly channelId: string;
  readonly label: string;
}

function statePath(configFolder: string): string {
  return join(configFolder, 'listeners.json');
}

function nameOf({ profileName, baseUrl, channelId, label }: ListenerKey): string {
  return [profileName, baseUrl, channelId, label].join(' ');
}

export async function readListenerId(configFolder: string, key: ListenerKey): Promise<string | undefined> {
  return (await readState(configFolder))[nameOf(key)];
}

export async function saveListenerId(configFolder: string, key: ListenerKey, listenerId: string): Promise<void> {
  await changeJsonFile(statePath(configFolder), async () => ({
    ...(await readState(configFolder)),
    [nameOf(key)]: listenerId,
  }));
}

/** An invalid file counts as empty, because the label also finds the listener. */
async function readState(configFolder: string): Promise<Listeners> {
  try {
    const value: unknown = JSON.parse((await readTextIfExists(statePath(configFolder))) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, id]) => typeof id === 'string'));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
