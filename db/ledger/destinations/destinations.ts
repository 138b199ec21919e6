import type { Knex } from 'knex';
import type { ChannelEventType } from '../../../contract/event-types.ts';
import { notifyChanged } from '../../core/notify-changed.ts';
import { type Cancellation, cancellationRecord } from '../transitions/cancellation-sql.ts';
import { isSeenAsSql } from './kept-urls.ts';

/** Pumps serve shards from 0, so no pump claims deliveries that wait for a reader. */
export const LISTENER_SHARD = -1;

export type NewDestination = { readonly channelId: number; readonly url: string } & (
  | { readonly type: 'webhook' }
  | {
      readonly type: 'subscription';
      readonly eventTypes: readonly ChannelEventType[];
      readonly label: string | null;
      readonly enabled: boolean;
      /** Stored as deleted until its URL is verified. */
      readonly staged: true;
    }
);

export async function insertDestination(db: Knex, destination: NewDestination): Promise<number> {
  const subscription = destination.type === 'subscription' ? destination : undefined;
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `insert into destinations (channel_id, type, url, label, event_types, enabled, disabled_reason, deleted_at)
     values (?, ?, ?, ?, ?, ?, ?, case when ? then now() end)
     returning id`,
    [
      destination.channelId,
      destination.type,
      destination.url,
      subscription?.label ?? null,
      subscription ? [...subscription.eventTypes] : null,
      subscription?.enabled ?? true,
      subscription?.enabled === false ? 'by_hand' : null,
      subscription?.staged ?? false,
    ],
  );
  return rows[0]!.id;
}

/**
 * Resets the failure counts and makes the probe of an open circuit due. The circuit's workflow probes once it is
 * signalled. Static headers and authentication don't follow to another origin, whose owner they were not given to.
 */
export async function retargetDestination(
  db: Knex,
  { id, url, enables = true }: { id: number; url: string; enables?: boolean },
): Promise<void> {
  const present = await db<{ id: number; url: string }>('destinations').where({ id }).first('url');
  await db('destinations')
    .where({ id })
    .update({
      url,
      ...(present && originOf(present.url) !== originOf(url) && noCredentials(db)),
      ...(enables && { enabled: true, disabled_reason: null }),
      updated_at: db.fn.now(),
      ...freshStanding(db),
    });
}

export async function enableDestination(db: Knex, id: number): Promise<void> {
  await db('destinations')
    .where({ id })
    .update({ enabled: true, disabled_reason: null, updated_at: db.fn.now(), ...freshStanding(db) });
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}

function noCredentials(db: Knex) {
  const options = db.raw("nullif(options - 'headers' - 'authentication', '{}')");
  return { options, credentials_encrypted: null };
}

function freshStanding(db: Knex) {
  return {
    consecutive_failures: 0,
    consecutive_since: null,
    recent_accepted: 0,
    recent_failed: 0,
    failing_since: null,
    failing_delivery_id: null,
    failed_several: false,
    standing_since: db.fn.now(),
    circuit_probe_at: db.raw(`case when circuit = 'open' then now() end`),
  };
}

export async function commitDestination(db: Knex, id: number): Promise<void> {
  await db('destinations').where({ id }).update({ deleted_at: null, updated_at: db.fn.now() });
}

/** Also disables the old URLs kept for it. Returns false if already disabled. Their deliveries are void. */
export async function disableDestination(trx: Knex, id: number): Promise<boolean> {
  const disabled = await trx('destinations')
    .whereRaw(isSeenAsSql('destinations', '?'), [id, id])
    .where({ enabled: true })
    .update({ ...closedCircuit, enabled: false, disabled_reason: 'by_hand', updated_at: trx.fn.now() })
    .returning<{ id: number }[]>('id');
  await notifyChanged(trx, idsOf(disabled));
  return disabled.length > 0;
}

export async function discardStagedDestination(db: Knex, id: number): Promise<void> {
  await db('destinations').where({ id }).whereNotNull('deleted_at').delete();
}

/** Also deletes the old URLs kept for it. Their deliveries are void. */
export async function deleteDestination(
  trx: Knex,
  id: number,
  cancellation: Cancellation = { reason: 'destination_deleted' },
): Promise<void> {
  const deleted = await trx('destinations')
    .whereRaw(isSeenAsSql('destinations', '?'), [id, id])
    .whereNull('deleted_at')
    .update({
      ...closedCircuit,
      ...noCredentials(trx),
      cancellation: cancellationRecord(cancellation),
      deleted_at: trx.fn.now(),
      updated_at: trx.fn.now(),
    })
    .returning<{ id: number }[]>('id');
  await notifyChanged(trx, idsOf(deleted));
}

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

const closedCircuit = { circuit: 'closed', circuit_reason: null, circuit_opened_at: null, circuit_probe_at: null };
