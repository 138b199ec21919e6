import type { Knex } from 'knex';
import type { CauseLimits } from '../db/alerts/causes.ts';
import { reconcileAlerts } from '../db/alerts/reconcile-alerts.ts';
import type { Log } from '../process/log.ts';

export interface AlertWatchDeps {
  readonly db: Knex;
  readonly alertLimits: CauseLimits;
  readonly log: Log;
}

/** Derives alerts from the database, so that nothing is lost if a worker is killed at any point. */
export function createAlertWatch({ db, alertLimits, log }: AlertWatchDeps): () => Promise<void> {
  return async () => {
    const { openedCount, resolvedCount } = await reconcileAlerts(db, alertLimits);
    if (openedCount + resolvedCount > 0) log.info('alerts.reconciled', { openedCount, resolvedCount });
  };
}
