import type { Knex } from 'knex';
import type { CallRoute, OutboundCall } from './outbound-calls.ts';

/** A call as it is listed: its channel and workspace are those that were asked for. */
export interface OutboundCallRecord extends Omit<OutboundCall, 'channelId' | 'workspaceId'> {
  readonly id: number;
}

interface CallRow {
  id: number;
  via: CallRoute;
  caller: string;
  operation: string | null;
  method: string;
  path: string;
  status: number | null;
  error: string | null;
  duration_ms: number;
  request_id: string;
  platform_request_id: string | null;
  started_at: Date;
}

/** Calls of a channel while it was in this workspace, newest first. */
export async function listOutboundCalls(
  db: Knex,
  page: {
    readonly channelId: number;
    readonly workspaceId: number;
    readonly requestId?: string | undefined;
    readonly since?: Date | undefined;
    readonly until?: Date | undefined;
    /** Number of the last call on the page before. */
    readonly before?: number | undefined;
    readonly limit: number;
  },
): Promise<OutboundCallRecord[]> {
  const { rows } = await db.raw<{ rows: CallRow[] }>(
    `select * from outbound_calls
     where channel_id = :channelId and workspace_id = :workspaceId
       and (cast(:before as bigint) is null or id < cast(:before as bigint))
       and (cast(:requestId as text) is null or request_id = cast(:requestId as text))
       and (cast(:since as timestamptz) is null or started_at >= cast(:since as timestamptz))
       and (cast(:until as timestamptz) is null or started_at < cast(:until as timestamptz))
     order by id desc limit :limit`,
    {
      ...page,
      requestId: page.requestId ?? null,
      since: page.since ?? null,
      until: page.until ?? null,
      before: page.before ?? null,
    },
  );
  return rows.map((row) => ({
    id: row.id,
    via: row.via,
    caller: row.caller,
    operation: row.operation,
    method: row.method,
    path: row.path,
    status: row.status,
    error: row.error,
    durationMs: row.duration_ms,
    requestId: row.request_id,
    platformRequestId: row.platform_request_id,
    startedAt: row.started_at,
  }));
}
