import type { Knex } from 'knex';
import type { TurnStats } from '../db/core/connection-turns.ts';
import { findOrganizationIds } from '../db/organizations/organizations.ts';
import type { ShareHolder, Shares } from '../process/shares.ts';
import type { MetricRegistry } from './registry.ts';

/** A bounded thing that tenants share. */
export interface SharedPool {
  readonly capacity: number;
  readonly usedCount: number;
  /** Zero for pools that refuse instead. */
  readonly waitingCount: number;
  /** Largest first. */
  readonly largest: readonly ShareHolder[];
}

export interface PoolMetrics {
  readonly db: Knex;
  readonly pools: () => Readonly<Record<string, SharedPool>>;
}

/** Keeps the number of series small. */
const SHOWN_FROM = 1 / 2;

export function poolOf(shares: Pick<Shares, 'capacity' | 'count' | 'largest'>): SharedPool {
  return { capacity: shares.capacity, usedCount: shares.count(), waitingCount: 0, largest: shares.largest() };
}

const ORGANIZATION = /^organization:(\d+)$/;
const LARGEST_COUNT = 3;

/** Only organizations are named. */
export function poolOfTurns({ tenants, ...stats }: TurnStats): SharedPool {
  const largest = [...tenants].flatMap(([tenant, heldCount]) => {
    const [, id] = ORGANIZATION.exec(tenant) ?? [];
    return id === undefined ? [] : [{ organizationId: Number(id), heldCount }];
  });
  return { ...stats, largest: largest.sort((one, other) => other.heldCount - one.heldCount).slice(0, LARGEST_COUNT) };
}

/** At most three organizations are named for each pool, and only while it is half full. */
export function addPoolMetrics(registry: MetricRegistry, { db, pools }: PoolMetrics): void {
  const capacity = registry.gauge({ name: 'channels_pool_capacity', help: 'Slots, bytes or connections of a pool.' });
  const used = registry.gauge({ name: 'channels_pool_used', help: 'Slots, bytes or connections in use.' });
  const waiting = registry.gauge({ name: 'channels_pool_waiting', help: 'Statements that wait for a connection.' });
  const holders = registry.gauge({
    name: 'channels_pool_holder',
    help: 'What the organizations with the largest parts of a pool hold, while it is half full.',
  });
  registry.beforeExposition(async () => {
    const all = Object.entries(pools());
    for (const [pool, { capacity: size, usedCount, waitingCount }] of all) {
      capacity.set(size, { pool });
      used.set(usedCount, { pool });
      waiting.set(waitingCount, { pool });
    }
    holders.clear();
    const shown = all.flatMap(([pool, one]) =>
      isShown(one) ? one.largest.map((holder) => ({ pool, ...holder })) : [],
    );
    if (shown.length === 0) return;
    const ids = await findOrganizationIds(db, [...new Set(shown.map(({ organizationId }) => organizationId))]);
    for (const { pool, organizationId, heldCount } of shown)
      holders.set(heldCount, { pool, organization: ids.get(organizationId) ?? 'deleted' });
  });
}

function isShown({ capacity, usedCount, waitingCount }: SharedPool): boolean {
  return usedCount >= capacity * SHOWN_FROM || waitingCount > 0;
}
