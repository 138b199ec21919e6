import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { bodyBytesSql } from './unrouted-events.ts';
import type { ChannelType } from '../../contract/event-types.ts';

export interface UnroutedRecord {
  readonly id: number;
  readonly type: string;
  readonly resourceId: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  /** Null until staff sent it on. */
  readonly sentAt: Date | null;
}

export interface UnroutedPage {
  readonly type?: ChannelType | undefined;
  readonly resourceId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

export async function listUnroutedRecords(db: Knex, page: UnroutedPage): Promise<UnroutedRecord[]> {
  return await queryRows<UnroutedRecord>(db, pageSql(page.resourceId !== undefined), {
    type: page.type ?? null,
    ...(page.resourceId !== undefined && { resourceId: page.resourceId }),
    since: page.since ?? null,
    until: page.until ?? null,
    before: page.before ?? null,
    limit: page.limit,
  });
}

const pageSql = (ofResource: boolean): string => `
select u.id, u.type, u.resource_id as "resourceId", u.created_at as "createdAt",
  u.sent_at as "sentAt", coalesce(u.sent_bytes, ${bodyBytesSql}) as "sizeBytes"
from unrouted_events u
where ${ofResource ? 'u.resource_id = :resourceId and' : ''}
  (cast(:before as bigint) is null or u.id < cast(:before as bigint))
  and (cast(:type as text) is null or u.type = cast(:type as text))
  and (cast(:since as timestamptz) is null or u.created_at >= cast(:since as timestamptz))
  and (cast(:until as timestamptz) is null or u.created_at < cast(:until as timestamptz))
order by u.id desc limit :limit`;
