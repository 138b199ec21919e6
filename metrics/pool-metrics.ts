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
  const gauges = registry.gauges({
    channels_pool_capacity: 'Slots, bytes or connections of a pool.',
    channels_pool_used: 'Slots, bytes or connections in use.',
    channels_pool_waiting: 'Statements that wait for a connection.',
    channels_pool_holder: 'What the organizations with the largest parts of a pool hold, while it is half full.',
  });
  registry.beforeExposition(async () => {
    const all = Object.entries(pools());
    for (const [pool, { capacity, usedCount, waitingCount }] of all) {
      gauges.channels_pool_capacity.set(capacity, { pool });
      gauges.channels_pool_used.set(usedCount, { pool });
      gauges.channels_pool_waiting.set(waitingCount, { pool });
    }
    gauges.channels_pool_holder.clear();
    const shown = all.flatMap(([pool, one]) =>
      isShown(one) ? one.largest.map((holder) => ({ pool, ...holder })) : [],
    );
    if (shown.length === 0) return;
    const ids = await findOrganizationIds(db, [...new Set(shown.map(({ organizationId }) => organizationId))]);
    for (const { pool, organizationId, heldCount } of shown)
      gauges.channels_pool_holder.set(heldCount, { pool, organization: ids.get(organizationId) ?? 'deleted' });
  });
}

function isShown({ capacity, usedCount, waitingCount }: SharedPool): boolean {
  return usedCount >= capacity * SHOWN_FROM || waitingCount > 0;
}
