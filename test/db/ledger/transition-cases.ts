import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { type DeliveryStatus, deliveryStatuses, type TransitionName } from '../../../contract/deliveries/status.ts';
import { cancelDelivery } from '../../../db/ledger/cancel-delivery.ts';
import { exhaustWaiting } from '../../../db/ledger/destinations/waiting-for-circuit.ts';
import { endVoidBeforeUse, endVoidWorkflows } from '../../../db/ledger/end-void-deliveries.ts';
import { endDelivery, postponeUnreadable } from '../../../db/ledger/load-delivery.ts';
import { acknowledgeDeliveries } from '../../../db/ledger/listeners/acknowledge-deliveries.ts';
import { endUnreadListeners } from '../../../db/ledger/listeners/end-unread-listeners.ts';
import { passHeldDelivery, returnHeldDelivery } from '../../../db/ledger/pass-held-delivery.ts';
import { releaseDueRetries } from '../../../db/ledger/release-due-retries.ts';
import { restartDelivery } from '../../../db/ledger/restart-delivery.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { settleFailed } from '../../../db/ledger/settle-failed.ts';
import { testAudit } from '../../harness/audit.ts';
import { endVoid } from '../../harness/end-void.ts';
import { aLease } from '../../harness/deliveries/a-lease.ts';
import { failedAttempt, type Failure, refusal } from '../../harness/deliveries/failing-ledger.ts';
import { aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aListener } from '../../harness/listeners/listeners.ts';

const DAY_MS = 86_400_000;

export interface MovedRow {
  readonly id: number;
  readonly status: DeliveryStatus;
  readonly skip_reason: string | null;
  readonly next_attempt_at: Date | null;
  readonly xid: string;
}

export async function transitionStage(
  t: ExecutionContext<unknown>,
  { isListener = false }: { readonly isListener?: boolean | undefined },
) {
  const ledger = await hotLedger(t);
  const { db, pool, channel, url } = ledger;
  const destinationId = isListener
    ? (await aListener(db, channel)).destinationId
    : (await aWebhookDestination(ledger, channel)).id;
  const shard = (await db<{ id: number; shard: number }>('destinations').where({ id: destinationId }).first())!.shard;
  const fence = isListener ? 0 : (await aLease(pool, shard)).fence;
  const ids = new Map<DeliveryStatus, number>();
  for (const [index, status] of deliveryStatuses.entries()) {
    const skipReason = status === 'skipped' ? 'forwarding_disabled' : undefined;
    const delivery = { destinationId, status, createdAt: new Date(Date.now() - 30 * DAY_MS) };
    const { id } = await aLedgerDelivery(db, channel, { ...delivery, ...(skipReason && { skipReason }) });
    await db('deliveries').where({ id }).update({ conversation_key: index });
    const hold = { destination_id: destinationId, conversation_key: index, delivery_id: id };
    await db('conversation_holds').insert({ ...hold, until_at: new Date(Date.now() + DAY_MS) });
    ids.set(status, id);
  }
  const heard = await listenForNotifications(t, url);
  const rows = async () => {
    const columns = ['id', 'status', 'skip_reason', 'next_attempt_at'];
    return await db('deliveries').select<MovedRow[]>(...columns, db.raw('xid::text as xid')).orderBy('id'); // prettier-ignore
  };
  const held = async (): Promise<number[]> => await db('conversation_holds').pluck('delivery_id');
  return { ...ledger, destinationId, shard, fence, ids: [...ids.values()], idOf: ids, heard, rows, held };
}

async function listenForNotifications(t: ExecutionContext<unknown>, url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  const heard: string[] = [];
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await client.connect();
  t.teardown(() => client.end());
  await client.query('listen deliveries');
  return heard;
}

type Stage = Awaited<ReturnType<typeof transitionStage>>;

export interface TransitionCase {
  readonly transition: TransitionName;
  /** Optional. Narrows the states of the table. */
  readonly from?: readonly DeliveryStatus[];
  readonly isListener?: boolean;
  /** Optional. Makes the pump claim even if nothing ends. */
  readonly notifies?: boolean;
  readonly run: (stage: Stage) => Promise<unknown>;
}

const failWith =
  (failure: Failure, { isCircuitOpen = false } = {}) =>
  async ({ db, pool, ids, destinationId, shard, fence }: Stage) => {
    if (isCircuitOpen) await openCircuit(db);
    const lease = failure.kind === undefined || failure.kind === 'short' ? { shard, fence } : undefined;
    const failed = ids.map((deliveryId) => failedAttempt({ deliveryId, destinationId, lease, ...failure }));
    await settleFailed(pool, { failed, rules: { firstProbeMs: 5_000, disableAfterMs: DAY_MS } });
  };

const openCircuit = async (db: Stage['db']) => {
  await db('destinations').update({ circuit: 'open', circuit_reason: 'failures', circuit_opened_at: db.fn.now(), circuit_probe_at: db.fn.now() }); // prettier-ignore
};

const endOne = (end: 'exhaust' | 'cancel' | 'skip') => async ({ pool, ids }: Stage) => {
  for (const id of ids) await endDelivery(pool, { id, end, reason: end === 'skip' ? 'destination_disabled' : null });
}; // prettier-ignore

const endAs = (end: 'cancelled' | 'skipped', run: (stage: Stage) => Promise<unknown>) => async (stage: Stage) => {
  const { db } = stage;
  await db('destinations').update(end === 'cancelled' ? { deleted_at: db.fn.now() } : { enabled: false });
  await run(stage);
}; // prettier-ignore
const sweep = ({ pool }: Stage) => endVoid(pool);
const endWorkflows = ({ db, channel }: Stage) => endVoidWorkflows(db, { channelId: channel.id });
const endBeforeUse = ({ db, destinationId }: Stage) => endVoidBeforeUse(db, { destinationId });

const acknowledge =
  (acknowledgement: { outcome: 'accepted' | 'rejected'; retry?: boolean }) =>
  async ({ db, ids, destinationId, tenant }: Stage) => {
    const attempt = { status: null, durationMs: 1, responseBody: null, error: null, ...acknowledgement };
    const attempts = ids.map((deliveryId) => ({ deliveryId, ...attempt }));
    await acknowledgeDeliveries(db, { destinationId, workspaceId: tenant.workspace.id, attempts });
  };

const audit = { ...testAudit, action: 'delivery.changed' };
const pending: readonly DeliveryStatus[] = ['pending'];
const retrying: readonly DeliveryStatus[] = ['retrying'];

/** Every statement that changes a status. */
export const transitionCases: Readonly<Record<string, TransitionCase>> = {
  'settling an accepted attempt': {
    transition: 'deliver',
    run: ({ pool, ids, destinationId }) =>
      settleAccepted(pool, ids.map((deliveryId) => ({ deliveryId, destinationId, attempt: refusal({ outcome: 'accepted', status: 200 }) }))), // prettier-ignore
  },
  'settling a failed pumped attempt': { transition: 'retry', from: pending, run: failWith({}) },
  'settling a failed short retry': {
    transition: 'retry',
    from: pending,
    run: failWith({ kind: 'short', failedInSchedule: 1 }),
  },
  'releasing a due retry of the pump': {
    transition: 'return',
    from: retrying,
    run: async ({ db, pool, shard, fence }) => {
      await db('deliveries').update({ pump_retries: true });
      await db('deliveries').where({ status: 'retrying' }).update({ next_attempt_at: db.fn.now() });
      await releaseDueRetries(pool, { leases: [{ shard, fence }], limit: 10 });
    },
  },
  'settling the last pumped attempt': { transition: 'exhaust', from: pending, run: failWith({ delayMs: null }) },
  'settling a requested pause': { transition: 'wait', from: pending, run: failWith({ pauseMs: 60_000 }) },
  'settling a pumped attempt behind an open circuit': {
    transition: 'wait',
    from: pending,
    run: failWith({}, { isCircuitOpen: true }),
  },
  'settling a failed scheduled attempt': { transition: 'retry', from: retrying, run: failWith({ kind: 'scheduled' }) },
  'settling the last scheduled attempt': {
    transition: 'exhaust',
    from: retrying,
    run: failWith({ kind: 'scheduled', delayMs: null }),
  },
  'settling a scheduled attempt behind an open circuit': {
    transition: 'wait',
    from: retrying,
    run: failWith({ kind: 'scheduled' }, { isCircuitOpen: true }),
  },
  'settling a failed probe': { transition: 'wait', run: failWith({ kind: 'probe' }, { isCircuitOpen: true }) },
  'exhausting one delivery': { transition: 'exhaust', run: endOne('exhaust') },
  'cancelling one delivery of a workflow': { transition: 'cancel', run: endOne('cancel') },
  'skipping one delivery': { transition: 'skip', run: endOne('skip') },
  'postponing an unreadable delivery': {
    transition: 'postpone',
    run: async ({ pool, ids }) => {
      for (const id of ids) await postponeUnreadable(pool, id);
    },
  },
  'cancelling by a user': {
    transition: 'cancel',
    run: async ({ db, ids }) => {
      for (const id of ids) await cancelDelivery(db, { id, audit });
    },
  },
  'cancelling void deliveries': { transition: 'cancel', run: endAs('cancelled', sweep) },
  'skipping void deliveries': { transition: 'skip', run: endAs('skipped', sweep) },
  'cancelling deliveries with workflows': {
    transition: 'cancel',
    from: retrying,
    run: endAs('cancelled', endWorkflows),
  },
  'skipping deliveries with workflows': { transition: 'skip', from: retrying, run: endAs('skipped', endWorkflows) },
  'cancelling void deliveries before use': { transition: 'cancel', run: endAs('cancelled', endBeforeUse) },
  'skipping void deliveries before use': { transition: 'skip', run: endAs('skipped', endBeforeUse) },
  'exhausting deliveries behind a circuit': {
    transition: 'exhaust',
    run: ({ pool, destinationId }) => exhaustWaiting(pool, { destinationId, olderThanMs: DAY_MS }),
  },
  'passing a held delivery': {
    transition: 'pass',
    notifies: true,
    run: async ({ db, ids }) => {
      await openCircuit(db);
      for (const id of ids) await passHeldDelivery(db, id);
    },
  },
  'returning a passed delivery': {
    transition: 'return',
    notifies: true,
    run: async ({ db, ids }) => {
      for (const id of ids) await returnHeldDelivery(db, { id, attemptCount: 0 });
    },
  },
  'restarting an ended delivery': {
    transition: 'restart',
    notifies: true,
    run: async ({ db, idOf }) => {
      for (const [from, id] of idOf) await restartDelivery(db, { id, from: from as 'skipped', audit });
    },
  },
  'acknowledging a success': { transition: 'deliver', isListener: true, run: acknowledge({ outcome: 'accepted' }) },
  'acknowledging a failure': {
    transition: 'exhaust',
    from: pending,
    isListener: true,
    run: acknowledge({ outcome: 'rejected' }),
  },
  'acknowledging a failure to read again': {
    transition: 'reread',
    isListener: true,
    run: acknowledge({ outcome: 'rejected', retry: true }),
  },
  'ending unread deliveries': {
    transition: 'exhaust',
    from: pending,
    isListener: true,
    run: ({ db }) => endUnreadListeners(db, { position: 0, cutoff: new Date(Date.now() - 8 * DAY_MS) }),
  },
  'cancelling deliveries of a deleted listener': {
    transition: 'cancel',
    isListener: true,
    run: async ({ db, pool, destinationId }) => {
      await db('destinations').where({ id: destinationId }).update({ deleted_at: db.fn.now() });
      await endVoid(pool);
    },
  },
  'skipping deliveries of a disabled channel': {
    transition: 'skip',
    isListener: true,
    run: async ({ db, pool, channel }) => {
      await db('channels').where({ id: channel.id }).update({ forwarding_enabled: false });
      await endVoid(pool);
    },
  },
};
