import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';
import { randomId } from '../../contract/ids.ts';
import {
  type AlertCallType,
  type ConnectionNoticeType,
  type NotificationAttempt,
  notificationWaitsMs,
} from '../../contract/notifications/notification.ts';
import { queryRows } from '../core/query-rows.ts';
import { requestStarts } from '../core/request-start.ts';

/** A signed call that is no delivery. One workflow sends it until it has an outcome. */
export type Notification = AlertCall | ConnectionNotice;

interface AnyNotification {
  readonly id: number;
  readonly publicId: string;
  readonly isEnded: boolean;
  readonly attemptCount: number;
  /** Until the next attempt may be made. Zero for one that is due. */
  readonly waitMs: number;
  /** Null if the link no longer has an address. */
  readonly url: string | null;
  /** Newest first. */
  readonly sealedSecrets: readonly string[];
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly createdAt: Date;
}

export interface AlertCall extends AnyNotification {
  readonly type: AlertCallType;
  readonly webhookId: number;
  /** Null for a test. */
  readonly digestId: number | null;
  readonly isEnabled: boolean;
}

export interface ConnectionNotice extends AnyNotification {
  readonly type: ConnectionNoticeType;
  readonly linkPublicId: string;
  readonly externalId: string | null;
  readonly channelPublicId: string;
  readonly channelType: ChannelType;
  readonly workspacePublicId: string;
}

export function isAlertCall(notification: Notification): notification is AlertCall {
  return notification.type.startsWith('alert.');
}

interface NewNotice {
  readonly linkId: number;
  readonly channelId: number;
  readonly isReconnected: boolean;
}

/** Must run in the transaction that connects the channel. */
export async function insertNotice(trx: Knex, { linkId, channelId, isReconnected }: NewNotice): Promise<void> {
  const publicId = randomId('connectionNotice', randomBytes);
  const type: ConnectionNoticeType = isReconnected ? 'channel.reconnected' : 'channel.connected';
  await queryRows(
    trx,
    `insert into notifications (public_id, type, onboarding_link_id, channel_id, external_id)
     select :publicId, :type, id, :channelId, external_id from onboarding_links where id = :linkId`,
    { publicId, type, linkId, channelId },
  );
  await requestStarts(trx, { type: 'sendNotification', subjectIds: [publicId] });
}

/** When the attempt after the last one of a notification `n` is due, if it has not ended. Null for a test. */
export const nextAttemptAtSql = `case when n.outcome is null and n.type <> 'alert.test' then n.last_attempt_at
  + (array[${notificationWaitsMs.join()}]::bigint[])[n.attempt_count] * interval '1 millisecond' end`;

export async function findNotification(db: Knex, publicId: string): Promise<Notification | undefined> {
  const [notification] = await queryRows<Notification>(db, findSql, { publicId });
  return notification;
}

const findSql = `
select n.id, n.public_id as "publicId", n.type, n.outcome is not null as "isEnded", n.attempt_count as "attemptCount",
  ceil(greatest(extract(epoch from ${nextAttemptAtSql} - clock_timestamp()), 0) * 1000)::float8 as "waitMs",
  n.created_at as "createdAt", o.id as "organizationId", o.public_id as "organizationPublicId",
  coalesce(h.url, l.notification_url) as url,
  case when h.id is null then array_remove(array[l.notification_secret_encrypted], null)
    else array(select s.secret_encrypted from alert_webhook_secrets s where s.alert_webhook_id = h.id
      and (s.expires_at is null or s.expires_at > now()) order by s.id desc) end as "sealedSecrets",
  h.id as "webhookId", n.digest_id as "digestId", h.enabled as "isEnabled",
  l.public_id as "linkPublicId", n.external_id as "externalId", c.public_id as "channelPublicId",
  c.type as "channelType", w.public_id as "workspacePublicId"
from notifications n
left join alert_webhooks h on h.id = n.alert_webhook_id
left join onboarding_links l on l.id = n.onboarding_link_id
left join channels c on c.id = n.channel_id
left join workspaces w on w.id = c.workspace_id
join organizations o on o.id = coalesce(h.organization_id, w.organization_id)
where n.public_id = :publicId`;

interface AttemptedNotification {
  readonly id: number;
  readonly attemptCount: number;
  readonly type: Notification['type'];
  readonly isAccepted: boolean;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly error: string | null;
}

/** Conditional on the number of attempts, so that a repeated activity does not count twice. */
export async function settleNotification(
  db: Knex,
  { id, attemptCount, type, isAccepted, status, error }: AttemptedNotification,
): Promise<NotificationAttempt> {
  const nextWaitMs = type === 'alert.test' ? undefined : notificationWaitsMs[attemptCount];
  const outcome = isAccepted ? 'delivered' : nextWaitMs === undefined ? 'failed' : null;
  await queryRows(
    db,
    `update notifications set attempt_count = attempt_count + 1, last_attempt_at = now(), last_status = :status,
       last_error = :error, outcome = :outcome
     where id = :id and outcome is null and attempt_count = :attemptCount`,
    { id, attemptCount, status, error, outcome },
  );
  return outcome === null ? { result: 'retrying', waitMs: nextWaitMs ?? null } : { result: outcome, waitMs: null };
}

export async function skipNotification(db: Knex, id: number): Promise<void> {
  await queryRows(db, `update notifications set outcome = 'skipped' where id = :id and outcome is null`, { id });
}
