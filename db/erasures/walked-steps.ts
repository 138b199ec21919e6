import type { ErasureCounts, ErasureStep } from '../../contract/erasures/erasure.ts';
import { emptiedRequestSql, hasTextSql } from '../containers/erase-ended.ts';
import type { OpenErasure } from './next-slice.ts';
import { channelScopeSql, idempotentScopeSql, namesPersonSql, placedScopeSql } from './person-scope.ts';

/** How a step changes the rows `o` of a table that are in `looked`. Undefined: the step does nothing. */
export interface WalkedStep {
  readonly table: string;
  readonly count: keyof ErasureCounts;
  readonly changeSql: (kind: OpenErasure['kind']) => string | undefined;
}

const ofWorkspace = (sql: string) => (kind: OpenErasure['kind']) => (kind === 'workspace' ? sql : undefined);
const ofAll = (sql: string) => (kind: OpenErasure['kind']) => (kind === 'event' ? undefined : sql);
/** An erasure of a workspace has no person. */
const concernsSql = (text: string): string => `(cast(:personPattern as text) is null or ${namesPersonSql(text)})`;

/** Tables without an index of persons. Each slice looks at the next rows by id. */
export const walkedSteps = {
  /** Waiting posts are cancelled. Those that started lose their texts, and so does the container, after it has ended. */
  scheduled_posts: {
    table: 'scheduled',
    count: 'scheduledPosts',
    changeSql: ofAll(`
      update scheduled o set
        status = case o.status when 'scheduled' then 'cancelled' else o.status end,
        status_detail = case o.status when 'scheduled' then 'Its content was erased.' else o.status_detail end,
        ended_at = case o.status when 'scheduled' then clock_timestamp() end,
        act_at = case o.status when 'scheduled' then o.act_at else 'infinity' end,
        input = case o.status when 'scheduled' then null else ${emptiedRequestSql('o.input')} end
      from looked
      where o.id = looked.id and o.kind = 'post' and ${placedScopeSql} and o.status in ('scheduled', 'started')
        and (o.status = 'scheduled' or ${hasTextSql('o.input')}) and ${concernsSql('o.input::text')}
      returning o.container_public_id, o.public_id, o.status
    ), ended as (
      insert into workflow_starts (type, subject_id)
      select 'carryScheduled', public_id from changed where status = 'cancelled' returning 1
    ), awaited as (
      insert into containers_to_erase (container_id)
      select m.id from changed join media_containers m on m.public_id = changed.container_public_id
      on conflict do nothing returning 1`),
  },
  /** Calls name people in their path only. Those of a workspace are deleted, those that name a sender lose the path. */
  outbound_calls: {
    table: 'outbound_calls',
    count: 'outboundCalls',
    changeSql: (kind) => (kind === 'workspace' ? deletedCallsSql : ofAll(emptiedCallsSql)(kind)),
  },
  /** The kept answer of a call is deleted; its key stays, so that a repetition does not send again. */
  idempotent_calls: {
    table: 'idempotent_calls',
    count: 'idempotentCalls',
    changeSql: ofAll(`
      update idempotent_calls o set answer = '{}'::jsonb from looked, channels c
      where o.id = looked.id and ${idempotentScopeSql} and o.answer <> '{}'::jsonb and ${concernsSql('o.answer::text')}
      returning 1`),
  },
  /** Texts of posts. Those of containers under way are needed until they end. */
  containers: {
    table: 'media_containers',
    count: 'containers',
    changeSql: ofAll(`
      update media_containers o
      set request = case when o.ended_at is null then o.request else ${emptiedRequestSql('o.request')} end
      from looked
      where o.id = looked.id and ${placedScopeSql} and ${hasTextSql('o.request')} and ${concernsSql('o.request::text')}
      returning o.id, o.ended_at
    ), awaited as (
      insert into containers_to_erase (container_id) select id from changed where ended_at is null
      on conflict do nothing returning 1`),
  },
  /** What was sent, and what receivers answered. Earlier events do not say their workspace. */
  test_events: {
    table: 'test_events',
    count: 'testEvents',
    changeSql: ofWorkspace(`
      update test_events o
      set response_headers = null, response_body = null, response_body_key_id = null, request = null
      from looked, channels c
      where o.id = looked.id and c.id = o.channel_id and coalesce(o.workspace_id, c.workspace_id) = :workspaceId
        and o.created_at <= cast(:createdAt as timestamptz)
        and num_nonnulls(o.response_headers, o.response_body, o.request) > 0
      returning 1`),
  },
  /** What receivers answered to probes. */
  webhook_candidates: {
    table: 'webhook_candidates',
    count: 'probes',
    changeSql: ofWorkspace(`
      update webhook_candidates o set probes = '{}' from looked, channels c
      where o.id = looked.id and ${channelScopeSql} and o.status <> 'staged' and o.probes <> '{}'
      returning 1`),
  },
  default_webhooks: {
    table: 'default_webhooks',
    count: 'probes',
    changeSql: ofWorkspace(`
      update default_webhooks o set probes = '{}' from looked
      where o.id = looked.id and o.workspace_id = :workspaceId and o.status <> 'staged' and o.probes <> '{}'
      returning 1`),
  },
  /** Names of accounts that are no longer connected. Those of connected ones are settings. */
  channels: {
    table: 'channels',
    count: 'channels',
    changeSql: ofWorkspace(`
      update channels o set display_name = o.public_id from looked
      where o.id = looked.id and o.workspace_id = :workspaceId and o.disconnected_at is not null
        and o.created_at <= cast(:createdAt as timestamptz) and o.display_name <> o.public_id
      returning o.id
    ), unnamed as (
      update channel_health h set name = null, username = null, picture_url = null, business_account_id = null
      from changed where h.channel_id = changed.id returning 1
    ), unlabelled as (
      update alerts a set subject_label = coalesce(a.subject_id, a.subject_type)
      from changed where a.channel_id = changed.id returning 1
    ), undetailed as (
      update webhook_rollout_results r set detail = null
      from changed where r.channel_id = changed.id and r.detail is not null returning 1`),
  },
  /** Names of a deleted workspace and in its links. */
  workspaces: {
    table: 'workspaces',
    count: 'workspaces',
    changeSql: ofWorkspace(`
      update workspaces o set name = o.public_id, external_id = null from looked
      where o.id = looked.id and o.id = :workspaceId and o.deleted_at is not null and o.name <> o.public_id
      returning o.id
    ), onboarding as (
      update onboarding_links l
      set label = l.public_id, external_id = null, display_name = null, logo_url = null
      from changed where l.workspace_id = changed.id returning l.id
    ), notices as (
      update notifications n set external_id = null from onboarding where n.onboarding_link_id = onboarding.id returning 1
    ), portal as (
      update portal_links p set name = null from changed where p.workspace_id = changed.id returning 1`),
  },
} as const satisfies Partial<Record<ErasureStep, WalkedStep>>;

const deletedCallsSql = `
      delete from outbound_calls o using looked where o.id = looked.id and ${placedScopeSql} returning 1`;
const emptiedCallsSql = `
      update outbound_calls o set path = '/', error = null from looked
      where o.id = looked.id and ${namesPersonSql('o.path')} and ${placedScopeSql} returning 1`;
