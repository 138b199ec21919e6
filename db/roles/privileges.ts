import type { DatabaseProcess } from '../core/owner-function.ts';

/** SQL after `grant`, such as `select, update (status)`. */
type Granted = Partial<Readonly<Record<DatabaseProcess, string>>>;

/** Without the token and its hash. */
const readableKey = `select (id, public_id, organization_id, user_id, name, scopes, expires_at, revoked_at, created_at,
  last_used_at, workspace_ids, allowed_cidrs, owned_by_organization)`;

/**
 * What each process may do with each table. A partition has the privileges of its root. `admin migrate` grants exactly
 * these, and the tests run the processes with them. A statement that locks rows needs `update` of one column. Audit
 * entries can only be added: no process changes or deletes them.
 */
export const tablePrivileges = {
  agent_credentials: { api: 'select, insert' },
  alert_digests: { worker: 'select, insert, delete' },
  alert_mails: { worker: 'select, insert, update, delete' },
  alert_rules: { api: 'select, insert, delete', worker: 'select' },
  alert_webhook_secrets: { api: 'select, insert, update, delete', worker: 'select' },
  alert_webhooks: { api: 'select, insert, update, delete', worker: 'select' },
  alerts: { api: 'select, update', worker: 'select, insert, update, delete' },
  api_keys: { api: 'select, insert, update', worker: readableKey, gateway: readableKey },
  attempts: { api: 'select, insert, update', worker: 'select, insert, update, delete, truncate' },
  audit_entries: { api: 'select, insert', worker: 'select, insert', gateway: 'select (id), insert' },
  channel_health: { api: 'select, insert, update', worker: 'select, insert, update', gateway: 'select, update' },
  channel_moves: { api: 'select, insert', worker: 'select' },
  channel_token_rotations: { api: 'select, insert, update', worker: 'select, update' },
  channel_tokens: { api: 'select, insert, update', worker: 'select, insert, update', gateway: 'select' },
  channels: { api: 'select, insert, update', worker: 'select, update', gateway: 'select' },
  code_tries: { api: 'select, insert, delete' },
  connection_credentials: {
    api: 'select, insert, update, delete',
    worker: 'select, update',
    gateway: 'select, update',
  },
  container_parts: { api: 'select, insert, update', worker: 'select, insert, update', gateway: 'select' },
  containers_to_erase: { worker: 'select, insert, delete' },
  conversation_holds: { api: 'select, delete', worker: 'select, insert, update, delete' },
  conversation_releases: { api: 'insert', worker: 'select, insert, update (id), delete' },
  default_webhooks: { api: 'select, insert, update', worker: 'select, update, delete' },
  deliveries: { api: 'select, insert, update', worker: 'select, insert, update, delete, truncate' },
  delivery_replays: { api: 'select, insert', worker: 'select, delete' },
  destinations: { api: 'select, insert, update, delete', worker: 'select, insert, update, delete' },
  email_registrations: { api: 'select, insert, update, delete', worker: 'select, update, delete' },
  erased_events: { worker: 'select, insert, delete' },
  erasures: { api: 'select, insert', worker: 'select, update, delete' },
  event_keys: { api: 'select, insert', worker: 'select, delete' },
  event_keys_1: { api: 'select' },
  event_keys_2: { api: 'select' },
  events: { api: 'select, insert, update (created_at)', worker: 'select, insert, update, delete, truncate' },
  gateway_containers: { gateway: 'select, insert, update (expires_at), delete' },
  handed_over_deliveries: { worker: 'select, insert, update, delete' },
  idempotent_calls: { api: 'select, insert, update, delete', worker: 'select, update, delete' },
  installation: { api: 'select', worker: 'select', gateway: 'select' },
  invariant_runs: { api: 'select', worker: 'select, insert, update, delete' },
  invitations: { api: 'select, insert, update', worker: 'select, update' },
  knex_migrations: { api: 'select', worker: 'select', gateway: 'select' },
  leader_leases: { worker: 'select, insert, update, delete' },
  ledger_periods: { api: 'select', worker: 'select, update' },
  listeners: { api: 'select, insert, update', worker: 'select, update, delete' },
  media_containers: { api: 'select, insert, update', worker: 'select, insert, update', gateway: 'select' },
  notifications: { api: 'select, insert, delete', worker: 'select, insert, update, delete' },
  onboarding_attempts: { api: 'select, insert, update, delete', worker: 'select, delete' },
  onboarding_links: { api: 'select, insert, update', worker: 'select, update' },
  organization_branding: { api: 'select, insert, update' },
  organization_members: {
    api: 'select, insert, update, delete',
    worker: 'select',
    gateway: 'select (organization_id, user_id, role)',
  },
  organizations: {
    api: 'select, insert, update',
    worker: 'select, update (created_at)',
    gateway: 'select (id, public_id)',
  },
  outbound_calls: { api: 'select, insert', worker: 'select, insert, update, delete', gateway: 'select (id), insert' },
  portal_links: { api: 'select, insert, update', worker: 'select, update, delete' },
  replay_items: { api: 'select', worker: 'select, insert, update, delete' },
  replay_paces: { api: 'select, insert, update, delete', worker: 'select, insert, update, delete' },
  replays: { api: 'select, insert, update', worker: 'select, update, delete' },
  retention_sweeps: { worker: 'select, insert, update' },
  scheduled: { api: 'select, insert, update', worker: 'select, update, delete' },
  secret_reveals: { api: 'select, insert, update', worker: 'select' },
  sessions: { api: 'select, insert, update', worker: 'select (id, created_at, expires_at, revoked_at), delete' },
  shard_leases: { api: 'select', worker: 'select, insert, update' },
  staff_keys: { api: 'select' },
  subscriptions: { api: 'select, insert, update', worker: 'select' },
  test_events: { api: 'select, insert', worker: 'select, update, delete' },
  unrouted_events: { api: 'select, insert, update', worker: 'select, delete' },
  usage_days: { api: 'select', worker: 'select, insert, update, delete' },
  usage_marks: { api: 'select', worker: 'select, update' },
  users: { api: 'select, insert (public_id, email), update (created_at)', worker: 'select (id, public_id, email)' },
  webhook_candidates: { api: 'select, insert, update', worker: 'select, insert, update, delete' },
  webhook_configs: { api: 'select, insert, update', worker: 'select, update' },
  webhook_rollout_results: { api: 'select', worker: 'select, insert, update, delete' },
  webhook_rollouts: { api: 'select, insert, update', worker: 'select, insert, update, delete' },
  webhook_secrets: { api: 'select, insert, update', worker: 'select' },
  worker_builds: { worker: 'select, insert, update, delete' },
  workers: { api: 'select', worker: 'select, insert, update, delete' },
  workflow_starts: { api: 'insert', worker: 'select, insert, update, delete' },
  workspace_members: {
    api: 'select, insert, update, delete',
    worker: 'select',
    gateway: 'select (workspace_id, user_id, role)',
  },
  workspaces: { api: 'select, insert, update', worker: 'select, update', gateway: 'select' },
} as const satisfies Record<string, Granted>;

/** Of sequences whose numbers a statement reads or takes itself. */
const sequencePrivileges: Readonly<Record<string, Granted>> = {
  events_id_seq: { api: 'usage', worker: 'select, usage, update' },
  deliveries_id_seq: { api: 'select, usage', worker: 'select, usage, update' },
  destinations_id_seq: { api: 'usage', worker: 'usage' },
  outbound_calls_id_seq: { worker: 'select' },
};

/** Returns the privileges of a process by table or sequence. */
export function privilegesOf(process: DatabaseProcess): Readonly<Record<string, string>> {
  const all = Object.entries<Granted>({ ...tablePrivileges, ...sequencePrivileges });
  return Object.fromEntries(all.flatMap(([name, { [process]: granted }]) => (granted ? [[name, granted]] : [])));
}
