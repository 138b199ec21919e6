import { readFileSync } from 'node:fs';
import test from 'ava';
import { testDatabase } from '../../harness/database/database.ts';

/** Ids, hashes, states and names from fixed lists, in any table. */
const plainColumn =
  /^(public_id|type|kind|severity|status|outcome|reasons?|resolution|event_types?|channel_type|media_type|connection_type|disconnected_reason|created_by|requested_by|requested_by_type|acknowledged_by|request_id|client_address|flags|refusal_code|.*_hash|.*_key_id|.*_encrypted)$/;

const erased: Readonly<Record<string, string>> = {
  alerts: 'subject_label',
  attempts: 'response_headers response_body request',
  channel_health: 'name username picture_url business_account_id',
  channels: 'display_name',
  default_webhooks: 'probes',
  events: 'sender person_ids platform_message_id body',
  idempotent_calls: 'answer',
  media_containers: 'request',
  notifications: 'external_id',
  onboarding_links: 'label external_id display_name logo_url',
  outbound_calls: 'path error',
  portal_links: 'name',
  scheduled: 'status_detail message_encrypted platform_message_id input',
  test_events: 'response_headers response_body request',
  unrouted_events: 'body',
  webhook_candidates: 'probes',
  webhook_rollout_results: 'detail',
  workspaces: 'name external_id',
};

/** What `docs/privacy.md` lists under "What remains", what no person writes, and what has its own, shorter life. */
const remaining: Readonly<Record<string, string>> = {
  alert_rules: 'min_severity kinds',
  alert_webhooks: 'url min_severity kinds', // an address of the organization
  alerts: 'subject_type subject_id',
  api_keys: 'name scopes workspace_ids allowed_cidrs', // credentials of the organization
  attempts: 'error batch', // errors of connections, numbers
  audit_entries: 'actor_type actor_id action target_id caller_request_id', // who did what, as ids
  channel_health:
    'alert_reason quality tier throughput account_status name_status permissions_granted permissions_missing ' +
    'subscribed_fields missing_fields failure',
  channel_tokens: 'scopes',
  channels: 'resource_id linked_resource_id cancellation', // ids of accounts and of who disconnected
  connection_credentials: 'refused_reason', // deleted with the connection
  container_parts: 'platform_id state', // ids of published posts
  default_webhooks: 'url failure', // an address of the receiver
  deliveries: 'skip_reason cancellation', // why and by whom, as ids
  destinations: 'url label ordering disabled_reason circuit circuit_reason verified_url options cancellation', // of the receiver
  email_registrations: 'purpose email scopes', // people of the organization
  erasures: 'sender person_ids step counts', // removed when the erasure ends, numbers
  events: 'trace_parent',
  gateway_containers: 'account_id platform_id',
  idempotent_calls: 'operation',
  installation: 'id_key token_salt server_history',
  invariant_runs: 'violations', // numbers
  invitations: 'email organization_role workspace_role', // people of the organization
  leader_leases: 'name holder',
  media_containers: 'status_detail media_id permalink', // ids of published posts, errors of the platform
  notifications: 'min_severity kinds last_error', // selections of the organization, errors of connections
  onboarding_links: 'success_url failure_url notification_url', // addresses of the organization
  organization_branding: 'display_name logo_url color portal_frame_ancestors', // settings of the organization
  organization_members: 'role',
  organizations: 'name limits',
  outbound_calls: 'via caller operation method platform_request_id caller_request_id',
  portal_links: 'channel_ids rights',
  replay_paces: 'host', // of a receiver
  // Filters and ids, addresses of the receiver.
  replays:
    'statuses channel_ids original_destinations original_destination_ids http_statuses selected_by selected_ids destination',
  retention_sweeps: 'task',
  scheduled: 'container_public_id',
  sessions: 'user_agent', // people of the organization
  shard_leases: 'holder',
  test_events: 'url body error', // the sample that the service wrote
  unrouted_events: 'resource_id',
  usage_marks: 'source',
  users: 'email', // people of the organization
  webhook_candidates: 'url failure pending', // addresses of the receiver
  worker_builds: 'holder build_id',
  workers: 'holder roles offers_address',
  workflow_starts: 'subject_id',
  workspace_members: 'role',
};

const columnsSql = `
select c.table_name as table, c.column_name as column
from information_schema.columns c
join pg_class k on k.relname = c.table_name and k.relnamespace = cast(c.table_schema as regnamespace)
where c.table_schema = current_schema() and k.relkind in ('r', 'p') and not k.relispartition
  and c.table_name not like 'knex_%'
  and c.data_type !~ '^(bigint|integer|smallint|numeric|double precision|boolean|date|timestamp with time zone|uuid|xid8|pg_snapshot)$'
order by 1, 2`;

const listed = (lists: Readonly<Record<string, string>>): string[] =>
  Object.entries(lists).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`));

test('the documentation says of each erased column whether it is encrypted', (t) => {
  const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('### Bodies at rest'), text.indexOf('### Limited API keys'));
  const named = [...section.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, name]) => name!);
  t.deepEqual(named.toSorted(), listed(erased).toSorted());
});

test('each column that can hold content is erased, or listed as remaining', async (t) => {
  const { db } = await testDatabase(t);
  const { rows } = await db.raw<{ rows: { table: string; column: string }[] }>(columnsSql);
  const known = new Set([...listed(erased), ...listed(remaining)]);
  t.deepEqual(
    rows.filter(({ table, column }) => !plainColumn.test(column) && !known.has(`${table}.${column}`)),
    [],
    'decide what an erasure does with it',
  );
  const names = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  t.deepEqual(
    [...known].filter((name) => !names.has(name)),
    [],
    'remove what no longer exists',
  );
});
