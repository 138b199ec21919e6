import { sequenceOf } from '../../contract/ids.ts';
import type { ErasureInput } from '../../openapi/erasures/schema.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { countErasable, findErasurePlace } from '../../db/erasures/erasure-scope.ts';
import { countOpenErasures, type ErasureScope, insertErasure } from '../../db/erasures/erasures.ts';
import { lockOrganization } from '../../db/organizations/organizations.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, NotFound } from '../requests/errors.ts';

export interface CreateErasure {
  readonly organizationId: number;
  readonly input: ErasureInput;
  readonly audit: AuditContext;
}

export interface CreatedErasure {
  /** Null for a dry run. */
  readonly erasureId: string | null;
  readonly matched: number;
}

/** Erasures of an organization under way at once. */
const MAX_OPEN = 20;

/** Stores the erasure; a worker starts its workflow within seconds. A dry run only counts. */
export async function createErasure(
  deps: ApiDeps,
  { organizationId, input, audit }: CreateErasure,
): Promise<CreatedErasure> {
  const { db } = deps;
  const scope = await scopeOf(deps, organizationId, input.scope);
  const matched = await countErasable(db, scope);
  if (input.dryRun) return { erasureId: null, matched };
  const erasureId = await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    if ((await countOpenErasures(trx, organizationId)) >= MAX_OPEN) {
      throw new Conflict('LIMIT_REACHED', `At most ${MAX_OPEN} erasures run at once. Wait until one is completed.`);
    }
    const publicId = await insertErasure(trx, { ...scope, reason: input.reason });
    await recordAudit(trx, {
      ...audit,
      workspaceId: scope.workspaceId,
      action: 'erasure.created',
      targetId: publicId,
      reason: input.reason,
    });
    return publicId;
  });
  return { erasureId, matched };
}

async function scopeOf(
  { db, idKey }: ApiDeps,
  organizationId: number,
  scope: ErasureInput['scope'],
): Promise<ErasureScope> {
  const nothing = { eventId: null, sender: null, workspaceId: null, channelId: null };
  const names =
    'event' in scope
      ? { eventId: sequenceOf(idKey, 'event', scope.event) }
      : 'sender' in scope
        ? { workspace: scope.workspaceId, channel: scope.channelId }
        : { workspace: scope.workspace };
  const place = await findErasurePlace(db, { organizationId, ...names });
  if ('event' in scope) {
    if (place.eventId === null) throw new NotFound('EVENT_NOT_FOUND');
    return { ...nothing, organizationId, kind: 'event', eventId: place.eventId };
  }
  const { workspaceId, channelId } = place;
  if ('workspace' in names && names.workspace !== undefined && workspaceId === null)
    throw new NotFound('WORKSPACE_NOT_FOUND');
  if ('channel' in names && names.channel !== undefined && channelId === null) throw new NotFound('CHANNEL_NOT_FOUND');
  return 'sender' in scope
    ? { organizationId, kind: 'sender', eventId: null, sender: scope.sender, workspaceId, channelId }
    : { ...nothing, organizationId, kind: 'workspace', workspaceId };
}
