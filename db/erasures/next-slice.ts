import type { Knex } from 'knex';
import type { ErasureStep } from '../../contract/erasures/erasure.ts';
import { queryRows } from '../core/query-rows.ts';
import type { ErasureScope } from './erasures.ts';
import { conversationKey } from '../deliveries/conversation-key.ts';
import { personEventsSql } from './person-scope.ts';
import { type Slice, SLICE_ROWS, walkChannels } from './walk-channels.ts';

export interface OpenErasure extends ErasureScope {
  readonly id: number;
  /** All ids of the person. Null unless the erasure is of one. */
  readonly personIds: readonly string[] | null;
  readonly step: ErasureStep;
  readonly atChannelId: number;
  readonly atId: number;
  /** With microseconds, as text. */
  readonly createdAt: string;
}

/**
 * Events of one id or person leave the scope when they are erased. A workspace is walked by its deliveries. So are, in
 * the end, the channels of a person, for events of the conversation that name no person.
 */
export async function nextEvents(db: Knex, erasure: OpenErasure): Promise<Slice> {
  switch (erasure.kind) {
    case 'event':
      return erasure.atId > 0
        ? { ids: [], next: undefined }
        : { ids: [erasure.eventId!], next: { atChannelId: 0, atId: erasure.eventId! } };
    case 'sender':
      return await nextOfSender(db, erasure);
    case 'workspace':
      return await walkChannels(db, { ...erasure, conversationKeys: null });
  }
}

/** Unordered: in order, the planner would read the whole table by id instead of the index of senders. */
async function nextOfSender(db: Knex, erasure: OpenErasure): Promise<Slice> {
  const { createdAt, organizationId, workspaceId, channelId, atChannelId, atId } = erasure;
  const personIds = [...erasure.personIds!];
  const walk = { ...erasure, conversationKeys: personIds.map(conversationKey) };
  if (atChannelId > 0) return await walkChannels(db, walk);
  const rows = await queryRows<{ id: number }>(db, `select e.id from events e where ${personEventsSql} limit :limit`, {
    personIds,
    createdAt,
    organizationId,
    workspaceId,
    channelId,
    limit: SLICE_ROWS,
  });
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return await walkChannels(db, { ...walk, atId: 0 });
  return { ids, next: { atChannelId: 0, atId: atId + ids.length } };
}
