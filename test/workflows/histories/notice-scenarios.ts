import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../../contract/failures.ts';
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
    name: 'callAlertWebhook',
    workflowType: 'callAlertWebhook',
    args: [{ callId: 'alc_00000001' }],
    activities: { sendAlertCall: inTurn(() => 'delivered') },
  },
  {
    name: 'notifyConnection',
    workflowType: 'notifyConnection',
    args: [{ noticeId: 'ntc_00000001' }],
    activities: { sendConnectionNotice: inTurn(() => 'sent') },
  },
];
