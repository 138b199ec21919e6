import { ApiError } from '../../client/errors.ts';
import type { Schema } from '../../client/create-client.ts';
import { records } from '../../client/pages.ts';
import type { EventType } from '../../contract/event-types.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Run } from '../commands/run.ts';
import { type ListenerKey, readListenerId, saveListenerId } from './listener-state.ts';

type Listener = Schema<'Listener'>;

export interface Choice {
  readonly channelId: string;
  readonly listener?: string | undefined;
  readonly label: string;
  readonly events?: readonly EventType[] | undefined;
  readonly isNew: boolean;
}

export interface Chosen {
  readonly listener: Listener;
  readonly isReused: boolean;
}

/** Prefers the named listener, then the last used one, then one with the same label. Otherwise creates one. */
export async function chooseListener(run: Run, choice: Choice): Promise<Chosen> {
  if (choice.listener !== undefined)
    return { listener: await read(run, choice.channelId, choice.listener), isReused: true };
  const { world, settings } = run;
  const { channelId, label } = choice;
  const key: ListenerKey = { profileName: settings.profileName, baseUrl: settings.baseUrl.value, channelId, label };
  const found = choice.isNew
    ? undefined
    : await findEarlier(run, choice, await readListenerId(world.configFolder, key));
  if (found) assertEvents(found, choice);
  const listener = found ?? (await create(run, choice));
  await saveListenerId(world.configFolder, key, listener.listenerId);
  return { listener, isReused: found !== undefined };
}

async function read(run: Run, ch: string, lst: string): Promise<Listener> {
  return await (await run.client()).get('/channels/{ch}/listeners/{lst}', { params: { path: { ch, lst } } });
}

async function findEarlier(
  run: Run,
  { channelId, label }: Choice,
  remembered: string | undefined,
): Promise<Listener | undefined> {
  if (remembered !== undefined) {
    try {
      return await read(run, channelId, remembered);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'LISTENER_NOT_FOUND') throw error;
      run.output.warn(
        `The last used listener, ${remembered}, no longer exists: it expired after seven days without a read, or was deleted.\n` +
          'Find its deliveries with `channels deliveries list` and replay them if needed.',
      );
    }
  }
  const client = await run.client();
  const list = (cursor: string | undefined) =>
    client.get('/channels/{ch}/listeners', { params: { path: { ch: channelId }, query: omitUndefined({ cursor }) } });
  for await (const listener of records(list, (page) => page.listeners)) {
    if (listener.label === label) return listener;
  }
  return undefined;
}

function assertEvents({ listenerId, eventTypes }: Listener, { events }: Choice): void {
  if (events === undefined) return;
  if (eventTypes !== null && [...eventTypes].toSorted().join() === [...events].toSorted().join()) return;
  throw usageError(
    `The last used listener, ${listenerId}, receives ${eventTypes?.join(', ') ?? 'all events'}.`,
    'Use --new for a new listener, or another --label.',
  );
}

async function create(run: Run, { channelId, label, events }: Choice): Promise<Listener> {
  return await (
    await run.client()
  ).post('/channels/{ch}/listeners', {
    params: { path: { ch: channelId } },
    body: { label, ...omitUndefined({ eventTypes: events && [...events] }) },
  });
}
