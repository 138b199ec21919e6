import type { AlertKind } from '../../contract/alerts/kinds.ts';
import type { ScheduledKind } from '../../contract/scheduled/scheduled.ts';
import { isNotSettlingSql } from '../ledger/destinations/not-settling.ts';
import { busyDestinationsSql, overdueReasonSql, overdueSinceSql } from '../ledger/destinations/overdue.ts';
import { exhaustedLastsSql } from '../ledger/destinations/failure-counts-sql.ts';
import { presentIdSql, receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

/** When something counts as a cause. */
export interface CauseLimits {
  /** How long a circuit may stay open. */
  readonly circuitOpenMs: number;
  /** How long before its end a credential that was not refreshed is a cause. */
  readonly credentialEndsMs: number;
}

const columnsSql = (columns: {
  readonly key: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly label: string;
  readonly reason?: string;
  readonly occurrences?: string;
  readonly seenAt: string;
}): string => `w.organization_id, w.id as workspace_id, c.id as channel_id, ${columns.key} as cause_key,
  ${columns.subjectType} as subject_type, ${columns.subjectId} as subject_id, ${columns.label} as subject_label,
  ${columns.reason ?? 'null::text'} as reason, ${columns.occurrences ?? '1'}::int as occurrences, ${columns.seenAt} as seen_at`;

const workspaceSql = 'join workspaces w on w.id = c.workspace_id and w.deleted_at is null';

/** The first channel of a credential `k`. */
const liveChannelSql = `cross join lateral (
  select * from channels live where live.credential_id = k.id and live.disconnected_at is null order by live.id limit 1
) c`;

/** Shows the host alone, because the rest of a URL may contain a secret. `chr(63)` is a question mark. */
const destinationNameSql = `left(coalesce(nullif(d.label, ''),
  split_part(split_part(split_part(d.url, '/', 3), chr(63), 1), '@', -1), 'A listener'), 200)`;

interface DestinationCause {
  readonly where: string;
  readonly seenAt: string;
  readonly reason?: string;
  readonly occurrences?: string;
}

/** Aliases a destination `d`. Earlier URLs that are kept count for their destination only if `d` includes them. */
const destinationsSql = ({ where, seenAt, ...given }: DestinationCause) => `
select ${columnsSql({
  key: 'd.id',
  subjectType: 'd.type',
  subjectId: 'coalesce(s.public_id, l.public_id)',
  label: `${destinationNameSql} || ' of ' || c.display_name`,
  reason: given.reason ?? 'd.disabled_reason',
  occurrences: given.occurrences ?? '1',
  seenAt,
})}
from destinations d
join channels c on c.id = d.channel_id and c.disconnected_at is null
${workspaceSql}
left join subscriptions s on s.destination_id = ${presentIdSql('d')}
left join listeners l on l.destination_id = d.id
where d.deleted_at is null and ${where}`;

/** At most a thousand failures of a channel are counted, the last ones. */
const containersSql = ({ status, at }: { status: 'error' | 'unknown'; at: string }): string => `
select ${columnsSql({
  key: 'c.id',
  subjectType: "'container'",
  subjectId: 'm.public_id',
  label: 'c.display_name',
  occurrences: 'm.count',
  seenAt: 'm.seen_at',
})}
from (select distinct channel_id from media_containers m
  where m.status = '${status}' and ${at} > now() - interval '24 hours') affected
join channels c on c.id = affected.channel_id and c.disconnected_at is null
${workspaceSql}
cross join lateral (
  select count(*) as count, max(seen_at) as seen_at, (array_agg(public_id order by seen_at desc))[1] as public_id
  from (
    select m.public_id, ${at} as seen_at from media_containers m
    where m.channel_id = c.id and m.status = '${status}' and ${at} > now() - interval '24 hours'
    order by ${at} desc limit 1000
  ) recent
) m
where m.count > 0`;

const scheduledSql = (kind: ScheduledKind): string => `
select ${columnsSql({
  key: 'c.id',
  subjectType: "'channel'",
  subjectId: 'c.public_id',
  label: 'c.display_name',
  occurrences: 'm.count',
  seenAt: 'm.seen_at',
})}
from (
  select channel_id, count(*) as count, max(ended_at) as seen_at from scheduled m
  where m.kind = '${kind}' and m.status in ('failed', 'unknown') and ended_at > now() - interval '24 hours' group by channel_id
) m
join channels c on c.id = m.channel_id and c.disconnected_at is null
${workspaceSql}`;

/** A rollout of a new channel without another try, before its channel has a webhook. */
const defaultWebhookSql = `
select ${columnsSql({
  key: 'c.id',
  subjectType: "'channel'",
  subjectId: 'c.public_id',
  label: 'c.display_name',
  seenAt: 'r.ended_at',
})}
from webhook_rollouts r
join channels c on c.id = r.channel_id and c.disconnected_at is null
${workspaceSql}
where r.channel_id is not null and r.failed > 0 and r.status = 'completed' and r.retry_at is null
  and not exists (select from webhook_rollouts later where later.channel_id = r.channel_id and later.id > r.id)
  and not exists (select from webhook_configs config where config.channel_id = c.id and config.destination_id is not null)`;

/** Finds the causes that exist now. Each statement reads an index that has only rows with trouble. */
export const causesSql: Readonly<Record<AlertKind, string>> = {
  'destination.circuit_open': destinationsSql({
    where: `d.circuit = 'open' and d.enabled and ${receivesEventsSql('d')}
  and d.circuit_opened_at < now() - :circuitOpenMs * interval '1 millisecond'`,
    seenAt: 'd.circuit_opened_at',
  }),
  'destination.disabled': destinationsSql({
    where: `d.disabled_reason in ('gone', 'failing') and ${receivesEventsSql('d')}`,
    seenAt: 'coalesce(d.last_failure_at, d.updated_at)',
  }),
  'deliveries.notSettling': destinationsSql({
    where: isNotSettlingSql('d'),
    seenAt: 'd.not_settling_at',
  }),
  'deliveries.overdue': destinationsSql({
    where: `d.id in (${busyDestinationsSql}) and c.forwarding_enabled and ${overdueSinceSql('d')} is not null`,
    seenAt: 'now()',
    reason: overdueReasonSql('d'),
  }),
  'deliveries.exhausted': destinationsSql({
    where: exhaustedLastsSql('d'),
    seenAt: 'd.last_exhausted_at',
    occurrences: 'least(greatest(d.exhausted_count, 1), 1000000000)',
  }),
  'channel.disconnected': `
select ${columnsSql({
    key: 'c.id',
    subjectType: "'channel'",
    subjectId: 'c.public_id',
    label: 'c.display_name',
    reason: 'left(c.disconnected_reason, 500)',
    seenAt: 'c.disconnected_at',
  })}
from channels c
${workspaceSql}
where c.disconnected_reason is not null and c.disconnected_at > now() - interval '7 days'
  and not exists (select from channels again
    where again.type = c.type and again.resource_id = c.resource_id and again.disconnected_at is null)`,
  'credential.refused': `
select ${columnsSql({
    key: 'k.id',
    subjectType: "'credential'",
    subjectId: 'k.public_id',
    label: 'c.display_name',
    reason: 'left(k.refused_reason, 500)',
    seenAt: 'k.refused_at',
  })}
from connection_credentials k
${liveChannelSql}
${workspaceSql}
where k.refused_at is not null`,
  'credential.expiring': `
select ${columnsSql({
    key: 'k.id',
    subjectType: "'credential'",
    subjectId: 'k.public_id',
    label: 'c.display_name',
    seenAt: 'k.expires_at',
  })}
from connection_credentials k
${liveChannelSql}
${workspaceSql}
where k.expires_at < now() + :credentialEndsMs * interval '1 millisecond'`,
  'channel.health': `
select ${columnsSql({
    key: 'c.id',
    subjectType: "'channel'",
    subjectId: 'c.public_id',
    label: 'c.display_name',
    reason: 'h.alert_reason',
    seenAt: 'h.checked_at',
  })}
from channel_health h
join channels c on c.id = h.channel_id and c.disconnected_at is null
${workspaceSql}
where h.alert_reason is not null`,
  'container.failed': containersSql({ status: 'error', at: 'm.ended_at' }),
  'container.unknown': containersSql({ status: 'unknown', at: 'coalesce(m.ended_at, m.created_at)' }),
  'scheduledMessage.failed': scheduledSql('message'),
  'scheduledPost.failed': scheduledSql('post'),
  'defaultWebhook.failed': defaultWebhookSql,
  'replay.failed': `
select r.organization_id, r.workspace_id, r.channel_id, r.id as cause_key, 'replay' as subject_type,
  r.public_id as subject_id, r.public_id as subject_label, null::text as reason,
  (r.judged_failed + r.missing)::int as occurrences, r.last_failed_at as seen_at
from replays r
left join workspaces w on w.id = r.workspace_id
where r.last_failed_at > now() - interval '24 hours' and w.deleted_at is null`,
};
