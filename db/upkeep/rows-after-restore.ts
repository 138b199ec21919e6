import type { Knex } from 'knex';

/** What workflows know by the id of a row. */
const tables = {
  container: 'media_containers',
  replay: 'replays',
  rollout: 'webhook_rollouts',
  scheduledMessage: 'scheduled',
  scheduledPost: 'scheduled',
  channel: 'channels',
  workspace: 'workspaces',
  credential: 'connection_credentials',
  registration: 'email_registrations',
  invitation: 'invitations',
} as const;

export type NamedRow = keyof typeof tables;

const AT_ONCE = 5_000;

/**
 * Returns the time of the last change that a restored database contains, or null if it is empty. The server knows it
 * exactly until it is restarted; the newest event is the next best.
 */
export async function readMoment(db: Knex): Promise<Date | null> {
  const { rows } = await db.raw<{ rows: { moment: Date | null }[] }>(
    'select greatest(pg_last_xact_replay_timestamp(), (select created_at from events order by id desc limit 1)) as moment',
  );
  return rows[0]!.moment;
}

/** Returns those of the ids that have a row. */
export async function findNamedRows(
  db: Knex,
  { kind, ids }: { readonly kind: NamedRow; readonly ids: readonly string[] },
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of inPortions(ids)) {
    for (const id of await db(tables[kind]).whereIn('public_id', some).pluck('public_id')) found.add(id);
  }
  return found;
}

/** Returns the status of each delivery that exists. */
export async function findDeliveryStatuses(db: Knex, numbers: readonly number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const some of inPortions(numbers)) {
    const rows = await db('deliveries').whereIn('id', some).select<{ id: number; status: string }[]>('id', 'status');
    for (const { id, status } of rows) found.set(id, status);
  }
  return found;
}

export async function newestDelivery(db: Knex): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { id: number | null }[] }>('select max(id) as id from deliveries');
  return rows[0]!.id;
}

function* inPortions<Id>(ids: readonly Id[]): Generator<Id[]> {
  for (let at = 0; at < ids.length; at += AT_ONCE) yield ids.slice(at, at + AT_ONCE);
}
