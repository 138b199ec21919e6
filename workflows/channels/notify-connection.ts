import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ConnectionNoticeActivities } from '../../activities/channels/connection-notice-activities.ts';
import type { NoticeResult } from '../../contract/channels/connection-notice.ts';
import { activityQueue } from '../queues/activity-queue.ts';
import { showEnd } from '../ends/show-end.ts';

const { sendConnectionNotice } = proxyActivities<ConnectionNoticeActivities>({
  taskQueue: activityQueue('receivers'),
  // One request of at most 10 s and the wait for its connection.
  startToCloseTimeout: '25s',
  // Failures of the database. A notice that is not settled is due again in two minutes.
  retry: { initialInterval: '1s', maximumAttempts: 2 },
});

export interface NotifyConnectionInput {
  readonly noticeId: string;
}

/** Sends one attempt of a connection notice. The worker starts the next attempt when it is due. */
export async function notifyConnection({ noticeId }: NotifyConnectionInput): Promise<NoticeResult | 'ended'> {
  setCurrentDetails('Sending the notice.');
  return showEnd(await sendConnectionNotice({ noticeId }));
}
