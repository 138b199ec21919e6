import { ApiError } from '../../client/errors.ts';
import type { Schema } from '../../client/create-client.ts';
import { records } from '../../client/pages.ts';
import type { EventType } from '../../contract/event-types.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import type { Run } from '../commands/run.ts';
import { type ListenerKey, rememberedListener, rememberListener } from './listener-state.ts';

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
  /** It was there before: what came meanwhile waits in it. */
  readonly isReused: boolean;
}

/** The listener that was named, the one of last time, one of the same label, or a new one; it is kept for next time. */
export async function chooseListener(run: Run, choice: Choice): Promise<Chosen> {
  if (choice.listener !== undefined)
    return { listener: await read(run, choice.channelId, choice.listener), isReused: true };
  const { world, settings } = run;
  const { channelId, label } = choice;
  const key: ListenerKey = { profileName: settings.profileName, baseUrl: settings.baseUrl.value, channelId, label };
  const found = choice.isNew
    ? undefined
    : await earlier(run, choice, await rememberedListener(world.configFolder, key));
  if (found) assertEvents(found, choice);
  const listener = found ?? (await create(run, choice));
  await rememberListener(world.configFolder, key, listener.listenerId);
  return { listener, isReused: found !== undefined };
}

async function read(run: Run, ch: string, lst: string): Promise<Listener> {
  return await (await run.client()).get('/channels/{ch}/listeners/{lst}', { params: { path: { ch, lst } } });
}

async function earlier(
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
        `The listener of last time, ${remembered}, is gone: nobody had read it for seven days, or somebody deleted it.\n` +
          'What it held is in `channels deliveries list`, and can be replayed.',
      );
    }
  }
  const client = await run.client();
  const list = (cursor: string | undefined) =>
    client.get('/channels/{ch}/listeners', { params: { path: { ch: channelId }, query: given({ cursor }) } });
  for await (const listener of records(list, (page) => page.listeners)) {
    if (listener.label === label) return listener;
  }
  return undefined;
}

function assertEvents({ listenerId, eventTypes }: Listener, { events }: Choice): void {
  if (events === undefined) return;
  if (eventTypes !== null && [...eventTypes].toSorted().join() === [...events].toSorted().join()) return;
  throw usageError(
    `The listener of last time, ${listenerId}, gets ${eventTypes?.join(', ') ?? 'all events'}.`,
    'Say --new for a fresh one, or another --label.',
  );
}

async function create(run: Run, { channelId, label, events }: Choice): Promise<Listener> {
  return await (
    await run.client()
  ).post('/channels/{ch}/listeners', {
    params: { path: { ch: channelId } },
    body: { label, ...given({ eventTypes: events && [...events] }) },
  });
}
