import { attempt } from './component-values.ts';
import { ordersUrl } from './field-values.ts';
import type { Values } from './json-schema.ts';

/** Values of single operations, by field of the body, where the schema is shared with others or has no name. */
export const operationValues: Readonly<
  Record<string, { readonly request?: Values; readonly response?: Values | string }>
> = {
  exportUsage: {
    response:
      'day,workspaceId,channelId,events,deliveries,attempts,sends,publishes\n' +
      '2026-01-31,ws_4Tg7LmQ2,,120,128,131,64,3\n',
  },
  disableChannel: { response: { forwardingEnabled: false } },
  disconnectChannel: { response: { connected: false, forwardingEnabled: false } },
  createOnboardingLink: { response: { useCount: 0, lastNotification: null } },
  moveChannel: { response: { workspaceId: 'ws_R2mXe7Vk' } },
  createReplay: { request: { statuses: ['exhausted', 'skipped'], dryRun: true } },
  pauseReplay: { response: { status: 'paused', sent: 20, delivered: 20, failed: 0, endedAt: null } },
  resumeReplay: { response: { status: 'running', sent: 20, delivered: 20, failed: 0, endedAt: null } },
  cancelReplay: { response: { status: 'cancelled', sent: 20, delivered: 20, failed: 0 } },
  pauseStaffReplay: { response: { status: 'paused', sent: 20, delivered: 20, failed: 0, endedAt: null } },
  resumeStaffReplay: { response: { status: 'running', sent: 20, delivered: 20, failed: 0, endedAt: null } },
  cancelStaffReplay: { response: { status: 'cancelled', sent: 20, delivered: 20, failed: 0 } },
  acknowledgeAlert: { response: { acknowledgedAt: '2026-01-31T08:10:00.000Z', acknowledgedBy: 'usr_mArt4Lop' } },
  muteAlert: {
    request: { until: '2026-02-01T08:00:00.000Z' },
    response: { mutedUntil: '2026-02-01T08:00:00.000Z' },
  },
  getOrganizationDefaultWebhook: { response: { workspaceId: null, inheritedWebhookUrl: null } },
  putOrganizationDefaultWebhook: { response: { workspaceId: null, inheritedWebhookUrl: null } },
  testSubscription: {
    response: { subscriptionId: 'sub_Hc5wXn9B', url: ordersUrl, attempt: { ...attempt, url: ordersUrl } },
  },
  publishPageappReel: { response: { kind: 'reel', mediaId: '300000000000003' } },
  cancelOrganizationRollout: { response: { status: 'cancelled', applied: 20, unchanged: 0, skipped: 0 } },
  cancelWorkspaceRollout: { response: { status: 'cancelled', applied: 20, unchanged: 0, skipped: 0 } },
  changeScheduledMessage: { response: { sendAt: '2026-02-14T08:00:00.000Z' } },
  cancelScheduledMessage: {
    response: {
      status: 'cancelled',
      recipient: null,
      preview: null,
      message: null,
      endedAt: '2026-01-31T08:10:00.000Z',
    },
  },
  changeScheduledPost: { response: { publishAt: '2026-02-14T08:00:00.000Z' } },
  cancelScheduledPost: { response: { status: 'cancelled', endedAt: '2026-01-31T08:10:00.000Z' } },
  updateWorkspace: { response: { name: 'Sunrise Bakery & Café' } },
  acceptPlatformEvents: {
    request: { object: 'chatapp', entry: [{ id: '102290129340398', changes: [] }] },
  },
};
