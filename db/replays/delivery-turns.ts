import type { Knex } from 'knex';
import { MAX_PORTAL_DELIVERIES } from '../../contract/identity/limits.ts';
import { UNVERIFIED_REPLAY_RATE } from '../../contract/replays/replay.ts';
import type { AuditContext } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import { hostSql, isUnverifiedSql, verifySubscriptions } from './verify-subscriptions.ts';
import { presentIdSql } from '../ledger/destinations/kept-urls.ts';

/** Rolls back the transaction that would send too soon. */
export class TurnRefused extends Error {
  declare readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.name = 'TurnRefused';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const DAY_MS = 86_400_000;

export const HOST_PACE_MS = 1_000 / UNVERIFIED_REPLAY_RATE;

export interface Turns {
  /** A query of the distinct keys, as `host`, in order: rows are locked in this order to prevent deadlocks. */
  readonly keys: string;
  readonly paceMs: number;
  /** How many turns a key that has rested may take at once. */
  readonly burst: number;
}

/**
 * A statement that takes one turn for each key and returns the keys that have one. All users of a key share
 * its pace, across the installation: `paced_at` advances by the pace with each turn, and may be ahead by the burst.
 */
export const takeTurnsSql = ({ keys, paceMs, burst }: Turns): string => `
  insert into replay_paces (host, paced_at) select host, now() from (${keys}) keys
  on conflict (host) do update
    set paced_at = greatest(replay_paces.paced_at + interval '${paceMs} milliseconds', excluded.paced_at)
    where replay_paces.paced_at <= excluded.paced_at + interval '${(burst - 2) * paceMs} milliseconds'
  returning host`;

export interface RequestedDelivery {
  readonly destinationId: number;
  readonly audit: Pick<AuditContext, 'actor' | 'workspaceId'>;
}

/**
 * Takes a turn for one delivery or test event that a person or a program requests. Throws `TurnRefused` if the portals
 * of the workspace have used their share, or if the host of an unverified subscription has its pace already.
 */
export async function takeDeliveryTurn(db: Knex, { destinationId, audit }: RequestedDelivery): Promise<void> {
  const { actor, workspaceId } = audit;
  if (actor.type === 'portal') await takePortalTurn(db, workspaceId ?? 0);
  const target = await findUnverified(db, destinationId);
  if (!target || (await takeTurn(db, target.host, hostTurns))) return;
  await verifySubscriptions(db, { ...target, destinationId });
  if (!(await findUnverified(db, destinationId))) return;
  throw hostRefused(target.host);
}

/** As `takeDeliveryTurn`, for a test of a URL that is never verified. */
export async function takeUrlTurn(db: Knex, url: string): Promise<void> {
  const hosts = await queryRows<{ host: string }>(db, `select ${hostSql('cast(:url as text)')} as host`, { url });
  const { host } = hosts[0]!;
  if (!(await takeTurn(db, host, hostTurns))) throw hostRefused(host);
}

function hostRefused(host: string): TurnRefused {
  const message =
    `URLs at ${host === 'other' ? 'IP addresses' : host} that are not verified get at most ` +
    `${UNVERIFIED_REPLAY_RATE} requested deliveries per second. A webhook at the origin of a subscription verifies it.`;
  return new TurnRefused(message, 1);
}

/** As `takeDeliveryTurn`, for another attempt of a delivery. An ended one goes to the present URL of its destination. */
export async function takeRetryTurn(
  db: Knex,
  { deliveryId, audit }: Pick<RequestedDelivery, 'audit'> & { readonly deliveryId: number },
): Promise<void> {
  const [target] = await queryRows<{ destinationId: number }>(
    db,
    `select case when d.status in ('pending', 'retrying') then dest.id else ${presentIdSql('dest')} end as "destinationId"
     from deliveries d join destinations dest on dest.id = d.destination_id where d.id = :deliveryId`,
    { deliveryId },
  );
  // Without a destination, it goes to the webhook, which is verified.
  await takeDeliveryTurn(db, { destinationId: target?.destinationId ?? 0, audit });
}

const hostTurns = { paceMs: HOST_PACE_MS, burst: UNVERIFIED_REPLAY_RATE };
/** Half of them at once: with those that come back during a day, they are all of them. */
const portalTurns = { paceMs: (2 * DAY_MS) / MAX_PORTAL_DELIVERIES, burst: MAX_PORTAL_DELIVERIES / 2 };

async function takePortalTurn(db: Knex, workspaceId: number): Promise<void> {
  const key = `portals of workspace ${workspaceId}`;
  if (await takeTurn(db, key, portalTurns)) return;
  const [pace] = await queryRows<{ waitMs: number }>(
    db,
    `select extract(epoch from paced_at - now())::float8 * 1000 as "waitMs" from replay_paces where host = :key`,
    { key },
  );
  const waitMs = (pace?.waitMs ?? 0) - (portalTurns.burst - 2) * portalTurns.paceMs;
  const message = `You can request at most ${MAX_PORTAL_DELIVERIES} retries, replays of single deliveries and test events per day here.`;
  throw new TurnRefused(message, Math.max(1, Math.ceil(waitMs / 1_000)));
}

async function takeTurn(db: Knex, key: string, pace: Omit<Turns, 'keys'>): Promise<boolean> {
  const keys = 'select cast(:key as text) as host';
  return (await queryRows(db, takeTurnsSql({ keys, ...pace }), { key })).length > 0;
}

async function findUnverified(
  db: Knex,
  destinationId: number,
): Promise<{ readonly host: string; readonly organizationId: number } | undefined> {
  const [found] = await queryRows<{ host: string; organizationId: number }>(
    db,
    `select ${hostSql('d.url')} as host, w.organization_id as "organizationId"
     from destinations d join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
     where d.id = :destinationId and ${isUnverifiedSql('d')}`,
    { destinationId },
  );
  return found;
}
