import type { Knex } from 'knex';
import type { ErasureCounts } from '../../contract/erasures/erasure.ts';
import { queryRows } from '../core/query-rows.ts';
import { requestStarts } from '../core/request-start.ts';
import { hashRecipient } from '../operations/recipient.ts';
import type { OpenErasure } from './next-slice.ts';
import { type Slice, SLICE_ROWS } from './walk-channels.ts';

interface ErasedMessages {
  readonly erased: ErasureCounts;
  readonly next: Slice['next'];
}

/**
 * Messages to a person or of a workspace. Waiting ones are cancelled. One whose call is under way ends as `unknown`: its
 * outcome is no longer recorded, and it is not put back to be sent later.
 */
export async function eraseScheduledMessages(trx: Knex, erasure: OpenErasure): Promise<ErasedMessages> {
  if (erasure.kind === 'event') return { erased: {}, next: undefined };
  const { atId, createdAt, organizationId, workspaceId, channelId, personIds } = erasure;
  const rows = await queryRows<{ id: number; publicId: string; wasOpen: boolean }>(trx, eraseSql, {
    ...{ atId, createdAt, organizationId, workspaceId, channelId, limit: SLICE_ROWS },
    recipientHashes: personIds === null ? null : personIds.map(hashRecipient),
  });
  const subjectIds = rows.filter(({ wasOpen }) => wasOpen).map(({ publicId }) => publicId);
  await requestStarts(trx, { type: 'carryScheduled', subjectIds });
  const next = rows.length < SLICE_ROWS ? undefined : { atChannelId: 0, atId: Math.max(...rows.map(({ id }) => id)) };
  return { erased: { scheduledMessages: rows.length }, next };
}

const eraseSql = `
update scheduled m set
  status = case m.status when 'scheduled' then 'cancelled' when 'sending' then 'unknown' else m.status end,
  reason = case m.status when 'sending' then 'outcome_unknown' else m.reason end,
  status_detail = case when m.ended_at is null then 'Its content was erased.' else m.status_detail end,
  ended_at = coalesce(m.ended_at, clock_timestamp()),
  message_encrypted = null, recipient_hash = null, other_recipient_hash = null,
  platform_message_id = null
from (
  select id, ended_at is null as was_open from scheduled
  where kind = 'message' and id > :atId and created_at <= cast(:createdAt as timestamptz)
    and workspace_id in (select id from workspaces where organization_id = :organizationId)
    and (cast(:workspaceId as bigint) is null or workspace_id = cast(:workspaceId as bigint))
    and (cast(:channelId as bigint) is null or channel_id = cast(:channelId as bigint))
    and (cast(:recipientHashes as bytea[]) is null or recipient_hash = any (cast(:recipientHashes as bytea[]))
      or other_recipient_hash = any (cast(:recipientHashes as bytea[])))
  order by id limit :limit for update
) found
where m.id = found.id
returning m.id, m.public_id as "publicId", found.was_open as "wasOpen"`;
