import type { Knex } from 'knex';
import { claimDueCalls } from '../../db/alerts/alert-calls.ts';
import { claimDueNotices } from '../../db/onboarding/connection-notices.ts';
import type { WorkerStarts } from '../../workflow-starts/worker-starts.ts';

const MAX_CLAIMS = 50;

export interface NoticeStartDeps {
  readonly db: Knex;
  readonly notifyConnection: WorkerStarts['notifyConnection'];
}

/** A claimed notice whose workflow does not start is due again in two minutes. */
export function createNoticeStarts({ db, notifyConnection }: NoticeStartDeps): () => Promise<void> {
  return async () => {
    for (const noticeId of await claimDueNotices(db, { limit: MAX_CLAIMS })) await notifyConnection(noticeId);
  };
}

export interface AlertCallStartDeps {
  readonly db: Knex;
  readonly callAlertWebhook: WorkerStarts['callAlertWebhook'];
}

/** As for notices. */
export function createAlertCallStarts({ db, callAlertWebhook }: AlertCallStartDeps): () => Promise<void> {
  return async () => {
    for (const callId of await claimDueCalls(db, { limit: MAX_CLAIMS })) await callAlertWebhook(callId);
  };
}
