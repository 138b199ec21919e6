import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';

/** A channel that was connected again, and whose events of the time between are to be sent on. */
export interface ChannelWithKept {
  readonly id: number;
  readonly publicId: string;
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly keptSince: Date;
}

export async function listChannelsWithKept(db: Knex, limit: number): Promise<ChannelWithKept[]> {
  return await queryRows<ChannelWithKept>(
    db,
    `select id, public_id as "publicId", type, resource_id as "resourceId", kept_since as "keptSince"
     from channels where kept_since is not null and disconnected_at is null order by kept_since, id limit :limit`,
    { limit },
  );
}

/** Longer than an event takes from the look-up of its channel to its commit. */
const COMMIT_SECONDS = 60;

/**
 * Ends the sending once nothing is left. Does nothing in the first minute after the connection: an event that did not see
 * it yet may still be committed.
 */
export async function endKept(db: Knex, { id }: Pick<ChannelWithKept, 'id'>): Promise<void> {
  await queryRows(
    db,
    `update channels set kept_since = null
     where id = :id and disconnected_at is null and updated_at < now() - :commitSeconds * interval '1 second'`,
    { id, commitSeconds: COMMIT_SECONDS },
  );
}
