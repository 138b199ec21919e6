import type { Knex } from 'knex';
import { presentAlert } from '../../contract/alerts/present-alert.ts';
import { outcomeOfStatus } from '../../contract/deliveries/outcome-of-status.ts';
import { MAX_CALLED_ALERTS, type NotificationAttempt } from '../../contract/notifications/notification.ts';
import { readCalledAlerts } from '../../db/alerts/alert-calls.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import {
  type AlertCall,
  type ConnectionNotice,
  findNotification,
  isAlertCall,
  type Notification,
  settleNotification,
  skipNotification,
} from '../../db/notifications/notifications.ts';
import type { Egress, EgressResult } from '../../egress/client.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';
import { BUSY_WAIT_MS, requesterOwner } from '../deliveries/receiver-slots.ts';
import { standardHeaders } from '../../contract/deliveries/signature.ts';
import { senderUserAgent } from '../../contract/deliveries/user-agents.ts';
import { hmacSha256, signingSecret } from '../signing/open-secret.ts';

export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

interface NotificationDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Pick<Egress, 'send'>;
  /** Of the slots of the receivers queue. */
  readonly receiverShares: Shares;
  readonly log: Log;
}

export function createNotificationActivities(deps: NotificationDeps) {
  const { db, secretBox, egress, receiverShares, log } = deps;
  return {
    /** At least once: an attempt whose result was lost is repeated with the same id. */
    async attemptNotification({ notificationId }: { readonly notificationId: string }): Promise<NotificationAttempt> {
      const notification = await findNotification(db, notificationId);
      // Its webhook was deleted, or another run was faster.
      if (!notification || notification.isEnded) return { result: 'ended', waitMs: null };
      if (notification.waitMs > 0) return { result: 'early', waitMs: notification.waitMs };
      // A test runs in another queue, because a person waits.
      if (notification.type === 'alert.test') return await attempt(notification);
      const kind = isAlertCall(notification) ? 'alerts' : 'notices';
      const giveBack = receiverShares.tryTake(requesterOwner(kind, notification));
      if (!giveBack) return unsent();
      try {
        return await attempt(notification);
      } finally {
        giveBack();
      }
    },
  };

  async function attempt(notification: Notification): Promise<NotificationAttempt> {
    const body = isAlertCall(notification) ? await alertBodyOf(notification) : noticeBodyOf(notification);
    if (body === undefined) {
      await skipNotification(db, notification.id);
      return { result: 'skipped', waitMs: null };
    }
    const sent = await send(notification, JSON.stringify(body));
    // A test tells its caller.
    if (sent?.outcome === 'not_sent' && notification.type !== 'alert.test') return unsent();
    const status = sent?.outcome === 'answered' ? sent.status : null;
    const error = sent && errorOf(sent);
    const isAccepted = status !== null && outcomeOfStatus(status) === 'accepted';
    const attempted = await settleNotification(db, { ...notification, status, error, isAccepted });
    logAttempt(notification, { status, error, result: attempted.result });
    return attempted;
  }

  /** Returns undefined if there is nothing to send any longer. */
  async function alertBodyOf(call: AlertCall): Promise<object | undefined> {
    const { publicId: id, type, digestId, isEnabled, organizationPublicId: organizationId } = call;
    const head = { id, type, createdAt: call.createdAt.toISOString(), organizationId };
    if (digestId === null) return { ...head, count: 1, alerts: [sampleAlert(organizationId, call.createdAt)] };
    if (!isEnabled) return undefined;
    const alerts = await readCalledAlerts(db, { call: { ...call, digestId }, limit: MAX_CALLED_ALERTS });
    const count = alerts[0]?.count;
    return count === undefined ? undefined : { ...head, count, alerts: alerts.map(presentAlert) };
  }

  /** Returns null if the link has no address any longer, which counts as one that does not answer. */
  async function send(notification: Notification, body: string): Promise<EgressResult | null> {
    const { publicId: id, url, sealedSecrets } = notification;
    if (url === null) return null;
    const { context, ...sender } = senderOf(notification);
    const secrets = sealedSecrets.map((sealed) => secretBox.open(sealed, context));
    return await sendSigned(egress, { ...sender, id, url, body, secrets });
  }

  function logAttempt(
    notification: Notification,
    {
      status,
      error,
      result,
    }: { readonly status: number | null; readonly error: string | null; readonly result: string },
  ): void {
    const { publicId, type, attemptCount } = notification;
    const number = attemptCount + 1;
    if (isAlertCall(notification)) {
      const { organizationPublicId: organizationId } = notification;
      log.info('alertCall.attempted', { callId: publicId, organizationId, type, number, status, error, result });
    } else {
      const { linkPublicId: linkId, channelPublicId: channelId } = notification;
      log.info('connectionNotice.attempted', { noticeId: publicId, linkId, channelId, number, status, error, result });
    }
  }
}

/** The wait for a slot or a connection holds no slot. */
function unsent(): NotificationAttempt {
  return { result: 'unsent', waitMs: Math.round(BUSY_WAIT_MS * (0.5 + Math.random() / 2)) };
}

/** Whose secrets sign a notification, whose connections it counts among, and with what it shares them. */
function senderOf(notification: Notification) {
  if (isAlertCall(notification)) {
    const { organizationPublicId } = notification;
    return {
      context: sealedContexts.alertWebhookSecret(organizationPublicId),
      group: `alerts:${organizationPublicId}`,
      workspaceId: organizationPublicId,
    };
  }
  const { linkPublicId, workspacePublicId: workspaceId } = notification;
  const context = sealedContexts.onboardingNotificationSecret(linkPublicId);
  return { context, group: `notice:${linkPublicId}`, workspaceId };
}

function noticeBodyOf(notice: ConnectionNotice) {
  return {
    id: notice.publicId,
    type: notice.type,
    occurredAt: notice.createdAt.toISOString(),
    channelId: notice.channelPublicId,
    channelType: notice.channelType,
    workspaceId: notice.workspacePublicId,
    onboardingLinkId: notice.linkPublicId,
    externalId: notice.externalId,
  };
}

function errorOf(sent: EgressResult): string | null {
  if (sent.outcome === 'answered') return null;
  return sent.outcome === 'not_sent' ? 'not_sent' : sent.error;
}

/** The alert of a test call. Its id is that of no alert. */
export function sampleAlert(organizationPublicId: string, at: Date) {
  return presentAlert({
    publicId: 'alr_00000000',
    kind: 'destination.circuit_open',
    severity: 'warning',
    occurrences: 1,
    organizationPublicId,
    workspacePublicId: null,
    channelPublicId: null,
    subjectType: 'webhook',
    subjectId: null,
    subjectLabel: 'receiver.example.com',
    reason: null,
    openedAt: at,
    lastSeenAt: at,
    resolvedAt: null,
    resolution: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    mutedUntil: null,
  });
}

interface SignedCall {
  /** Equal in all attempts. */
  readonly id: string;
  readonly url: string;
  /** Texts, newest first; at least one. */
  readonly secrets: readonly string[];
  /** JSON. */
  readonly body: string;
  /** Calls of one group share connections. */
  readonly group: string;
  /** Whose connections the call counts among. */
  readonly workspaceId: string;
}

/** Then the call is not sent. */
const MAX_WAIT_MS = 10_000;

/** Makes one attempt of a call that is no delivery, signed by Standard Webhooks. */
async function sendSigned(egress: Pick<Egress, 'send'>, call: SignedCall): Promise<EgressResult> {
  const { id, url, secrets, group, workspaceId } = call;
  const body = Buffer.from(call.body);
  const signed = { id, atMs: Date.now(), body, secrets: secrets.map(signingSecret) };
  const headers = {
    'content-type': 'application/json',
    'user-agent': senderUserAgent,
    ...standardHeaders(signed, hmacSha256),
  };
  return await egress.send({ method: 'POST', url, headers, body, group, workspaceId, maxWaitMs: MAX_WAIT_MS });
}
