import type { ExecutionContext } from 'ava';
import { createReplayActivities } from '../../../activities/replays/replay-activities.ts';
import { planNextBatch, type ReplayCriteria, takeSnapshot } from '../../../db/replays/plan.ts';
import { FIRST_QUEUE, sendReplayBatch } from '../../../db/ledger/replays/send-replay-batch.ts';
import { completeReplay, insertReplay } from '../../../db/replays/replays.ts';
import { hotLedger } from '../deliveries/hot-ledger.ts';
import { aLedgerDelivery, aWebhook, type LedgerDelivery } from '../deliveries/ledger.ts';
import { createShares } from '../../../process/shares.ts';
import { retryRaces } from '../../../db/core/retry-races.ts';
import { eventually } from '../eventually.ts';
import { rememberingLog } from '../quiet-log.ts';

export interface ReplayOptions extends Partial<ReplayCriteria> {
  readonly ratePerSecond?: number;
  readonly destination?: string | null;
  readonly snapshot?: string;
}

export async function replayStage(t: ExecutionContext<unknown>) {
  const ledger = await hotLedger(t);
  const { db, pool, channel, tenant } = ledger;
  const destinationId = await aWebhook(db, channel);
  const upkeepShares = createShares({ perCredential: 1, perOrganization: 1, inAll: 40 });
  const activities = createReplayActivities({
    db,
    pool,
    stopping: new AbortController().signal,
    upkeepShares,
    log: rememberingLog(),
  });
  const place = { organizationId: tenant.organization.id, workspaceId: tenant.workspace.id, channelId: channel.id };
  const everything: ReplayCriteria = {
    place,
    since: new Date(Date.now() - 86_400_000),
    until: new Date(Date.now() + 86_400_000),
    statuses: ['exhausted'],
    eventTypes: null,
    destinationSlot: null,
  };

  const sources = async (count: number, delivery: LedgerDelivery = {}): Promise<number[]> => {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      ids.push((await aLedgerDelivery(db, channel, { status: 'exhausted', destinationId, ...delivery })).id);
    }
    return ids;
  };
  const replay = async ({ destination = null, ratePerSecond = 1_000, snapshot, ...others }: ReplayOptions = {}) => {
    const taken = snapshot ?? (await takeSnapshot(db));
    return await insertReplay(db, {
      ...everything,
      ...others,
      snapshot: taken,
      destination,
      ratePerSecond,
      matched: 0,
    });
  };
  const send = (replayId: string) => sendReplayBatch(pool, { replayId, after: FIRST_QUEUE });
  const sentDeliveries = async () => await db('deliveries').where('conversation_key', '<', 0).orderBy('id');
  /** Sends without pause until these replays have ended, and marks sent deliveries as delivered. */
  const sendAll = async (...replayIds: readonly string[]): Promise<void> => {
    await eventually(async () => {
      for (const replayId of replayIds) {
        await send(replayId);
        await completeReplay(db, replayId);
      }
      // Concurrent stages end the same deliveries.
      await retryRaces(async () => await db('deliveries').where({ status: 'pending' }).update({ status: 'delivered' }));
      const rows = await db('replays').whereIn('public_id', replayIds);
      return rows.every(({ status }) => status === 'completed');
    });
  };
  const mostWithinASecond = async (): Promise<number> => {
    const times = (await sentDeliveries()).map(({ created_at }) => created_at.getTime() as number);
    return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
  };
  const plan = async (replayId: string): Promise<void> => {
    while (await planNextBatch(pool, replayId));
  };
  return {
    ...ledger,
    destinationId,
    everything,
    sources,
    replay,
    plan,
    send,
    sendAll,
    sentDeliveries,
    mostWithinASecond,
    plannedReplay: async (options?: ReplayOptions): Promise<string> => {
      const replayId = await replay(options);
      await plan(replayId);
      return replayId;
    },
    row: async (replayId: string) => await db('replays').where({ public_id: replayId }).first(),
    items: async () => await db('replay_items').orderBy(['replay_id', 'source_delivery_id']),
    activities,
    upkeepShares,
  };
}
