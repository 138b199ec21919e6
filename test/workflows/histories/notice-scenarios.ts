import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../../contract/failures.ts';
import type { NotificationAttempt } from '../../../contract/notifications/notification.ts';
import { inTurn, type Scenario } from './scenario.ts';

export const noticeScenarios: readonly Scenario[] = [
  {
    name: 'alertDigest',
    workflowType: 'alertDigest',
    args: [{ organizationId: 'org_00000001', intervalMs: 600_000 }],
    activities: {
      collectAlerts: inTurn(() => undefined),
      mailAlerts: inTurn<'more' | 'done'>(
        () => 'more',
        () => 'done',
      ),
    },
  },
  {
    name: 'alertDigest.unsent',
    workflowType: 'alertDigest',
    args: [{ organizationId: 'org_00000001', intervalMs: 600_000 }],
    activities: {
      collectAlerts: inTurn(() => undefined),
      mailAlerts: inTurn(() => {
        throw ApplicationFailure.nonRetryable('No mail server', failureTypes.mailNotConfigured);
      }),
    },
  },
  {
    name: 'sendNotification',
    workflowType: 'sendNotification',
    args: [{ notificationId: 'ntc_00000001' }],
    activities: {
      attemptNotification: inTurn<NotificationAttempt>(
        () => ({ result: 'retrying', waitMs: 10 }),
        () => ({ result: 'delivered', waitMs: null }),
      ),
    },
  },
  {
    name: 'sendNotification.test',
    workflowType: 'sendNotification',
    args: [{ notificationId: 'alc_00000001', isTest: true }],
    activities: { attemptNotification: inTurn<NotificationAttempt>(() => ({ result: 'failed', waitMs: null })) },
  },
];
