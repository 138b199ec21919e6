import { sequenceOf } from '../../contract/ids.ts';
import { findErasurePlace, type NamedPlace } from '../../db/erasures/erasure-scope.ts';
import type { ErasureScope } from '../../db/erasures/erasures.ts';
import type { ErasureInput } from '../../openapi/erasures/routes.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { NotFound } from '../requests/errors.ts';

const nothing = { eventId: null, sender: null, workspaceId: null, channelId: null };

/** Throws if the organization does not have the event, workspace or channel. */
export async function findErasureScope(
  { db, idKey }: ApiDeps,
  organizationId: number,
  scope: ErasureInput['scope'],
): Promise<ErasureScope> {
  if ('event' in scope) {
    const eventId = sequenceOf(idKey, 'event', scope.event);
    const place = await findErasurePlace(db, { organizationId, eventId });
    if (place.eventId === null) throw new NotFound('EVENT_NOT_FOUND');
    return { ...nothing, organizationId, kind: 'event', eventId: place.eventId };
  }
  const isOfSender = 'sender' in scope;
  const place = await findPlace(db, {
    organizationId,
    workspace: isOfSender ? scope.workspaceId : scope.workspace,
    channel: isOfSender ? scope.channelId : undefined,
  });
  if (!isOfSender) return { ...nothing, organizationId, kind: 'workspace', workspaceId: place.workspaceId };
  return { ...nothing, ...place, organizationId, kind: 'sender', sender: scope.sender };
}

/** Throws if the organization does not have the workspace or channel. */
export async function findPlace(db: ApiDeps['db'], named: Omit<NamedPlace, 'eventId'>) {
  const { workspaceId, channelId } = await findErasurePlace(db, named);
  if (named.workspace !== undefined && workspaceId === null) throw new NotFound('WORKSPACE_NOT_FOUND');
  if (named.channel !== undefined && channelId === null) throw new NotFound('CHANNEL_NOT_FOUND');
  return { workspaceId, channelId };
}
