import type { Knex } from 'knex';
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
