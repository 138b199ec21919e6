import { sequenceOf, type IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { findOpenCircuitsNamed, findOverdueCircuits } from '../../db/ledger/destinations/circuits.ts';
import { endVoidListenerDeliveries } from '../../db/ledger/listeners/end-void-listener-deliveries.ts';
import { findOverdue, findTroubled } from '../../db/ledger/troubled-deliveries.ts';
import type { DestinationCare } from './destination-care.ts';
import type { Promotion } from './promotion.ts';
import type { Log } from '../../process/log.ts';

/**
 * Finds troubled deliveries and open circuits that no workflow carries and gives each of them one: their start failed, their worker died before
 * it, or somebody terminated the workflow. Two searches: rows whose next attempt is overdue, which finds everything
 * in the end; and runs that closed without ending their delivery or closing their circuit, which finds within seconds
 * what is due in hours.
 */
export interface Adoption {
  /** Watches over a shard until the returned function is called. */
  watch(shard: number): () => void;
}

export interface AdoptionDeps {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly promotion: Promotion;
  readonly care: DestinationCare;
  /** Deliveries whose workflow closed since then in any way but by completing. */
  readonly listAbandoned: (since: Date) => Promise<readonly string[]>;
  /** Names of the circuits whose workflow closed since then in any way but by completing. */
  readonly listAbandonedCircuits: (since: Date) => Promise<readonly string[]>;
  readonly log: Log;
}

const INTERVAL_MS = 3_000;
/** A workflow on its way to an attempt is not overdue: an attempt alone may take 10 s. */
const OVERDUE_MS = 5_000;
/** A probe may take as long as an attempt, and its workflow was told of a wait that begins when it has ended. */
const CIRCUIT_OVERDUE_MS = 15_000;
const MAX_ADOPTED = 100;
/** How far back closed runs are looked for: covers a visibility store that lags and a worker that was away. */
const CLOSED_WITHIN_MS = 10 * 60_000;
/** What is of no shard is seen to by one pump of all: whoever serves this one. */
const ONE_SHARD = 0;
/** So much at most before the next look at the shard's own. */
const MAX_ENDED_BATCHES = 4;

export function createAdoption(deps: AdoptionDeps): Adoption {
  const { pool, idKey, promotion, log } = deps;
  return {
    watch(shard) {
      let busy = false;
      const timer = setInterval(() => {
        if (busy) return;
        busy = true;
        void sweep(shard).finally(() => {
          busy = false;
        });
      }, INTERVAL_MS);
      return () => clearInterval(timer);
    },
  };

  async function sweep(shard: number): Promise<void> {
    try {
      if (shard === ONE_SHARD) await endForNobody();
      await promotion.start(await findOverdue(pool, idKey, { shard, overdueMs: OVERDUE_MS, limit: MAX_ADOPTED }));
      const circuits = { shard, overdueMs: CIRCUIT_OVERDUE_MS, limit: MAX_ADOPTED };
      await deps.care.start(await findOverdueCircuits(pool, circuits));
      if (shard === ONE_SHARD) await adoptClosed();
    } catch (error) {
      log.warn('adoption.failed', { error, shard });
    }
  }

  /** Listeners have no pump that would end what waits for one that nobody may read any more. */
  async function endForNobody(): Promise<void> {
    for (let batch = 0; batch < MAX_ENDED_BATCHES; batch++) {
      const { count, isAll } = await endVoidListenerDeliveries(pool);
      if (count > 0) log.info('listenerDeliveries.ended', { count });
      if (isAll) return;
    }
  }

  async function adoptClosed(): Promise<void> {
    const since = new Date(Date.now() - CLOSED_WITHIN_MS);
    const deliveryIds = await deps.listAbandoned(since);
    const numbers = deliveryIds.map((id) => sequenceOf(idKey, 'delivery', id)).filter((id) => id !== undefined);
    await promotion.start(await findTroubled(pool, idKey, numbers));
    await deps.care.start(await findOpenCircuitsNamed(pool, await deps.listAbandonedCircuits(since)));
  }
}
