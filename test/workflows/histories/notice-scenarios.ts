import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../../contract/failures.ts';
import { type Scenarios } from './scenario.ts';

export const noticeScenarios: Scenarios = {
  alertDigest: {
    args: [{ organizationId: 'org_00000001', intervalMs: 600_000 }],
    activities: {
      collectAlerts: [undefined],
      mailAlerts: ['more', 'done'],
    },
  },
  'alertDigest.unsent': {
    args: [{ organizationId: 'org_00000001', intervalMs: 600_000 }],
    activities: {
      collectAlerts: [undefined],
      mailAlerts: [
        () => {
          throw ApplicationFailure.nonRetryable('No mail server', failureTypes.mailNotConfigured);
        },
      ],
    },
  },
  sendNotification: {
    args: [{ notificationId: 'ntc_00000001' }],
    activities: {
      attemptNotification: [
        { result: 'retrying', waitMs: 10 },
        { result: 'delivered', waitMs: null },
      ],
    },
  },
  'sendNotification.test': {
    args: [{ notificationId: 'alc_00000001', isTest: true }],
    activities: { attemptNotification: [{ result: 'failed', waitMs: null }] },
  },
};
