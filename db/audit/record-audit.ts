import type { Knex } from 'knex';

/** Who acted: a person in a session, a key, an agent's key, staff, or the service itself. */
export interface AuditActor {
  readonly type: 'user' | 'api_key' | 'agent' | 'staff' | 'system';
  /** `usr_…`, `key_…`, `ac_…`, or the name of a process. */
  readonly id: string;
}

export interface AuditEntry {
  readonly organizationId: number | null;
  readonly workspaceId?: number | null;
  readonly actor: AuditActor;
  /** `noun.pastTense`. */
  readonly action: string;
  /** Public id of what was acted on. */
  readonly targetId?: string | null;
  readonly reason?: string | null;
  readonly requestId?: string | null;
  readonly clientAddress?: string | null;
}

/** Who acts, where, why, and on which request: what all entries of one request have in common. */
export type AuditContext = Omit<AuditEntry, 'action' | 'targetId'>;

/** Records an act in the transaction that does it, so that there is neither without the other. */
export async function recordAudit(trx: Knex, entry: AuditEntry): Promise<void> {
  await trx('audit_entries').insert({
    organization_id: entry.organizationId,
    workspace_id: entry.workspaceId ?? null,
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    action: entry.action,
    target_id: entry.targetId ?? null,
    reason: entry.reason ?? null,
    request_id: entry.requestId ?? null,
    client_address: entry.clientAddress ?? null,
  });
}

/** Records an act of a person that concerns each organization they belong to, such as the beginning of a session. */
export async function recordPersonAudit(
  trx: Knex,
  { userId, ...entry }: Omit<AuditEntry, 'organizationId'> & { readonly userId: number },
): Promise<void> {
  const organizationIds: number[] = await trx('organization_members')
    .where({ user_id: userId })
    .pluck('organization_id');
  const places = organizationIds.length > 0 ? organizationIds : [null];
  for (const organizationId of places) await recordAudit(trx, { ...entry, organizationId });
}
