import type { Knex } from 'knex';
import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import { AuditEntryModel } from '../models/audit-entry.ts';
import { OrganizationMemberModel } from '../models/member.ts';

/** A person in a session, a key, an agent's key, staff, a portal link, or the service itself. */
export interface AuditActor {
  readonly type: AuditActorType;
  /** `usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process. */
  readonly id: string;
}

export interface AuditEntry {
  readonly organizationId: number | null;
  readonly workspaceId?: number | null;
  readonly actor: AuditActor;
  /** `noun.pastTense`. */
  readonly action: string;
  /** Public id of the thing that was acted on. */
  readonly targetId?: string | null;
  readonly reason?: string | null;
  readonly requestId?: string | null;
  /** The caller's own `x-request-id`. */
  readonly callerRequestId?: string | null;
  readonly clientAddress?: string | null;
}

/** The fields that all entries of one request have in common. */
export type AuditContext = Omit<AuditEntry, 'action' | 'targetId'>;

/** Who asked for something that a workflow completes. */
export type Requester = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'>;

/** The columns of a row that a workflow completes. */
export interface RequesterColumns {
  readonly requestedByType: AuditActorType;
  readonly requestedBy: string;
  readonly requestId: string | null;
  readonly clientAddress: string | null;
}

export function requesterColumns({ actor, requestId = null, clientAddress = null }: Requester): RequesterColumns {
  return { requestedByType: actor.type, requestedBy: actor.id, requestId, clientAddress };
}

export function contextOfRequester(row: RequesterColumns): Requester {
  const { requestedByType: type, requestedBy: id, requestId, clientAddress } = row;
  return { actor: { type, id }, requestId, clientAddress };
}

/** In characters. More than the limits of a key with 50 workspaces and 50 address blocks. */
const MAX_REASON_LENGTH = 4_000;

/** Call in the transaction that performs the action. Its ids are bounded; a longer reason is cut off. */
export async function recordAudit(trx: Knex, { actor, ...entry }: AuditEntry): Promise<void> {
  await AuditEntryModel.query(trx).insert({
    organizationId: entry.organizationId,
    workspaceId: entry.workspaceId ?? null,
    actorType: actor.type,
    actorId: actor.id,
    action: entry.action,
    targetId: entry.targetId ?? null,
    reason: entry.reason?.slice(0, MAX_REASON_LENGTH) ?? null,
    requestId: entry.requestId ?? null,
    callerRequestId: entry.callerRequestId ?? null,
    clientAddress: entry.clientAddress ?? null,
  });
}

/** Records an action in each of the person's organizations. */
export async function recordPersonAudit(
  trx: Knex,
  { userId, ...entry }: Omit<AuditEntry, 'organizationId'> & { readonly userId: number },
): Promise<void> {
  const memberships = await OrganizationMemberModel.query(trx).select('organization_id').where({ user_id: userId });
  const places = memberships.length > 0 ? memberships.map(({ organizationId }) => organizationId) : [null];
  for (const organizationId of places) await recordAudit(trx, { ...entry, organizationId });
}
