import type { Knex } from 'knex';
import { DIGEST_INTERVAL_FACTOR, MAIL_LIFE_MS } from '../../contract/alerts/digest.ts';
import type { CauseLimits } from '../../db/alerts/causes.ts';
import { listDueDigests } from '../../db/alerts/digests.ts';
import { giveUpMails } from '../../db/alerts/mails.ts';
import { reconcileAlerts } from '../../db/alerts/reconcile-alerts.ts';
import { requestEach } from '../../db/workflow-starts/requested-starts.ts';
import type { Log } from '../../process/log.ts';

export interface AlertWatchDeps {
  readonly db: Knex;
  readonly alertLimits: CauseLimits;
  readonly alertGatherMs: number;
  readonly log: Log;
}

/** Of one round, for each of the two parts. The next round starts the rest. */
const MAX_DIGESTS = 200;

/**
 * Derives alerts from the database, and requests the workflows that announce them, so that nothing is lost if a worker
 * is killed at any point.
 */
export function createAlertWatch(deps: AlertWatchDeps): () => Promise<void> {
  const { db, alertLimits, alertGatherMs: gatherMs, log } = deps;
  return async () => {
    const { openedCount, resolvedCount } = await reconcileAlerts(db, alertLimits);
    if (openedCount + resolvedCount > 0) log.info('alerts.reconciled', { openedCount, resolvedCount });
    const givenUpCount = await giveUpMails(db, { lifeMs: MAIL_LIFE_MS });
    if (givenUpCount > 0) log.error('alertMail.expired', { mailCount: givenUpCount });
    const intervalMs = gatherMs * DIGEST_INTERVAL_FACTOR;
    const due = await listDueDigests(db, { gatherMs, intervalMs, limit: MAX_DIGESTS });
    await requestEach(db, { type: 'alertDigest', subjectIds: due });
  };
}
