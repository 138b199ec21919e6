import type { ApiDeps } from '../requests/deps.ts';
import { type ChannelWithKept, endKept, listChannelsWithKept } from '../../db/channels/kept-events.ts';
import { sendUnroutedEvents } from '../staff/send-unrouted-events.ts';

export interface KeptEventsDeps extends Pick<ApiDeps, 'db' | 'bodyBox' | 'log'> {
  readonly accept: (body: Buffer) => Promise<unknown>;
}

/** Returns true if there is more to send. */
export type SendKeptEvents = () => Promise<boolean>;

const EVERY_MS = 5_000;
const CHANNELS_PER_TURN = 20;
/** Small, so that a channel with many events does not hold up the others, or a stop of the process. */
const EVENTS_PER_TURN = 100;

/**
 * Sends on what arrived for an account between its disconnection and its new connection in the same workspace. The row of
 * the channel asks for it, so that nothing is lost if a process is killed. Several processes may do the same work: they
 * go through it in the same order, and what the channel has accepted is a duplicate. Events that can't be accepted stay
 * for staff.
 */
export function createSendKeptEvents(deps: KeptEventsDeps): SendKeptEvents {
  const { db, log, accept } = deps;
  /** The last event that was read, by channel. */
  const read = new Map<number, number>();

  async function sendSome(channel: ChannelWithKept): Promise<boolean> {
    const { id, publicId: channelId, keptSince: since } = channel;
    const slice = { channel, since, after: read.get(id), limit: EVENTS_PER_TURN, accept };
    const { sentCount, skippedCount, lastId } = await sendUnroutedEvents(deps, slice);
    if (sentCount > 0) log.info('keptEvents.sent', { channelId, sentCount, skippedCount });
    if (lastId !== null) read.set(id, lastId);
    else read.delete(id);
    if (lastId === null) await endKept(db, channel);
    return lastId !== null;
  }

  return async () => {
    let isMore = false;
    for (const channel of await listChannelsWithKept(db, CHANNELS_PER_TURN)) {
      isMore = (await sendSome(channel)) || isMore;
    }
    return isMore;
  };
}

export function startKeptEvents(deps: KeptEventsDeps): { stop(): Promise<void> } {
  const send = createSendKeptEvents(deps);
  let isStopped = false;
  let turn: Promise<void> = Promise.resolve();
  let timer = setTimeout(run, EVERY_MS).unref();

  function run(): void {
    turn = send()
      .catch((error: unknown) => {
        deps.log.warn('keptEvents.sendFailed', { error });
        return false;
      })
      .then((isMore) => {
        if (!isStopped) timer = setTimeout(run, isMore ? 0 : EVERY_MS).unref();
      });
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
