import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { randomId } from '../../contract/ids.ts';
import type { NoticeResult } from '../../contract/channels/connection-notice.ts';
import { noticeWaitsMs } from '../../contract/deliveries/notice-schedule.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';

/**
 * A notice is due at `next_attempt_at` until it has an outcome. Claiming it moves that instant, so that a notice whose
 * worker was lost is due again.
 */
export interface NewNotice {
  readonly linkId: number;
  readonly channelId: number;
  readonly isReconnected: boolean;
}

/** Must run in the transaction that connects the channel. */
export async function insertNotice(trx: Knex, notice: NewNotice): Promise<void> {
  await queryRows(
    trx,
    `insert into connection_notices (public_id, onboarding_link_id, channel_id, is_reconnected, external_id)
     select :publicId, id, :channelId, cast(:isReconnected as boolean), external_id from onboarding_links where id = :linkId`,
    { publicId: randomId('connectionNotice', randomBytes), ...notice },
  );
}

/** Longer than the workflow of one attempt. */
const CLAIM_SECONDS = 120;

export async function claimDueNotices(db: Knex, { limit }: { readonly limit: number }): Promise<string[]> {
  const rows = await queryRows<{ publicId: string }>(
    db,
    `update connection_notices set next_attempt_at = now() + :seconds * interval '1 second'
     where id in (select id from connection_notices where outcome is null and next_attempt_at <= now()
       order by next_attempt_at limit :limit for update skip locked)
     returning public_id as "publicId"`,
    { limit, seconds: CLAIM_SECONDS },
  );
  return rows.map(({ publicId }) => publicId);
}

export interface DueNotice {
  readonly id: number;
  readonly isEnded: boolean;
  readonly attemptCount: number;
  /** Null if the link no longer has an address. */
  readonly url: string | null;
  readonly sealedSecret: string | null;
  readonly linkPublicId: string;
  readonly externalId: string | null;
  readonly channelPublicId: string;
  readonly channelType: ChannelType;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly isReconnected: boolean;
  readonly createdAt: Date;
}

export async function findNotice(db: Knex, publicId: string): Promise<DueNotice | undefined> {
  const [notice] = await queryRows<DueNotice>(
    db,
    `select n.id, n.outcome is not null as "isEnded", n.attempt_count as "attemptCount", l.notification_url as url,
       l.notification_secret_encrypted as "sealedSecret", l.public_id as "linkPublicId", n.external_id as "externalId",
       c.public_id as "channelPublicId", c.type as "channelType", w.public_id as "workspacePublicId",
       w.organization_id as "organizationId",
       n.is_reconnected as "isReconnected", n.created_at as "createdAt"
     from connection_notices n
     join onboarding_links l on l.id = n.onboarding_link_id
     join channels c on c.id = n.channel_id
     join workspaces w on w.id = c.workspace_id
     where n.public_id = :publicId`,
    { publicId },
  );
  return notice;
}

/** Conditional on the number of attempts, so that a repeated activity does not count twice. */
export async function settleNotice(
  db: Knex,
  { id, attemptCount, status, isAccepted }: SettledNotice,
): Promise<NoticeResult> {
  const waitMs = noticeWaitsMs[attemptCount];
  const outcome = isAccepted ? 'sent' : waitMs === undefined ? 'exhausted' : null;
  await queryRows(
    db,
    `update connection_notices set attempt_count = attempt_count + 1, last_status = :status, outcome = :outcome,
       next_attempt_at = case when cast(:outcome as text) is null then now() + :waitMs * interval '1 millisecond' end
     where id = :id and outcome is null and attempt_count = :attemptCount`,
    { id, attemptCount, status, outcome, waitMs: waitMs ?? 0 },
  );
  return outcome ?? 'retrying';
}

interface SettledNotice {
  readonly id: number;
  readonly attemptCount: number;
  readonly status: number | null;
  readonly isAccepted: boolean;
}
