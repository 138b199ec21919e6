import { readFileSync } from 'node:fs';
import test from 'ava';
import { testDatabase } from '../../harness/database/database.ts';

/** Tables without content of customers, or whose content has its own, shorter life. */
const otherTables: Readonly<Record<string, string>> = {
  agent_credentials: 'credentials of the organization',
  alert_calls: 'calls to the organization, without content',
  alert_rules: 'settings of people',
  alert_webhook_secrets: 'secrets of the organization',
  alert_webhooks: 'settings of the organization',
  api_keys: 'credentials of the organization',
  audit_entries: 'the audit log keeps who did what',
  channel_token_rotations: 'ids and hashes',
  channel_tokens: 'credentials, revoked with their channel',
  code_tries: 'hashes',
  connection_credentials: 'encrypted, deleted with the connection',
  container_parts: 'ids of the platform',
  delivery_replays: 'hashes',
  email_registrations: 'people of the organization',
  erasures: 'the sender is removed at the end',
  gateway_containers: 'ids of the platform',
  installation: 'of the installation',
  invariant_runs: 'of the installation',
  invitations: 'people of the organization',
  leader_leases: 'of the installation',
  listeners: 'ids and hashes',
  onboarding_attempts: 'hashes and an encrypted token, deleted soon',
  organization_branding: 'settings of the organization',
  organization_members: 'people of the organization',
  organizations: 'settings of the organization',
  replay_paces: 'hosts of receivers, deleted soon',
  replays: 'ids, types and states',
  retention_sweeps: 'of the installation',
  secret_reveals: 'ids',
  sessions: 'people of the organization',
  shard_leases: 'of the installation',
  staff_keys: 'of the installation',
  subscriptions: 'ids',
  usage_marks: 'of the installation',
  users: 'people of the organization',
  webhook_configs: 'an encrypted token of the receiver',
  webhook_rollouts: 'ids, states and hashes',
  webhook_secrets: 'encrypted secrets of the receiver',
  worker_builds: 'of the installation',
  workers: 'of the installation',
  workspace_members: 'people of the organization',
};

/** Ids, hashes, states and names from fixed lists, in any table. */
const plainColumn =
  /^(public_id|type|kind|severity|status|outcome|reasons?|resolution|event_types?|channel_type|media_type|connection_type|disconnected_reason|created_by|requested_by|requested_by_type|acknowledged_by|request_id|client_address|flags|refusal_code|.*_hash|.*_key_id|.*_encrypted)$/;

const erased: Readonly<Record<string, string>> = {
  alerts: 'subject_label',
  attempts: 'response_headers response_body request',
  channel_health: 'name username picture_url business_account_id',
  channels: 'display_name',
  connection_notices: 'external_id',
  default_webhooks: 'probes',
  events: 'sender person_ids platform_message_id body',
  idempotent_calls: 'answer',
  media_containers: 'request',
  onboarding_links: 'label external_id display_name logo_url',
  outbound_calls: 'path error',
  portal_links: 'name',
  scheduled_messages: 'status_detail message_encrypted platform_message_id',
  scheduled_posts: 'input',
  test_events: 'response_headers response_body request',
  unrouted_events: 'body',
  webhook_candidates: 'probes',
  webhook_rollout_results: 'detail',
  workspaces: 'name external_id',
};

/** What `docs/privacy.md` lists under "What remains", and what no person writes. */
const remaining: Readonly<Record<string, string>> = {
  alerts: 'subject_type subject_id',
  attempts: 'error batch', // errors of connections, numbers
  channel_health:
    'alert_reason quality tier throughput account_status name_status permissions_granted permissions_missing ' +
    'subscribed_fields missing_fields failure',
  channels: 'resource_id linked_resource_id', // ids of accounts
  default_webhooks: 'url failure', // an address of the receiver
  deliveries: 'skip_reason cancellation', // why and by whom, as ids
  destinations: 'url label ordering disabled_reason circuit circuit_reason verified_url options', // of the receiver
  events: 'trace_parent',
  idempotent_calls: 'operation',
  media_containers: 'status_detail media_id permalink', // ids of published posts, errors of the platform
  onboarding_links: 'success_url failure_url notification_url', // addresses of the organization
  outbound_calls: 'via caller operation method platform_request_id caller_request_id',
  portal_links: 'channel_ids rights',
  scheduled_posts: 'status_detail container_public_id',
  test_events: 'url body error', // the sample that the service wrote
  unrouted_events: 'resource_id',
  webhook_candidates: 'url failure pending', // addresses of the receiver
};

const columnsSql = `
select c.table_name as table, c.column_name as column
from information_schema.columns c
join pg_class k on k.relname = c.table_name and k.relnamespace = cast(c.table_schema as regnamespace)
where c.table_schema = current_schema() and k.relkind in ('r', 'p') and not k.relispartition
  and c.table_name not like 'knex_%' and c.data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY')
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
  const found = rows.filter(({ table }) => !Object.hasOwn(otherTables, table));
  t.deepEqual(
    found.filter(({ table, column }) => !plainColumn.test(column) && !known.has(`${table}.${column}`)),
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
