import type { Knex } from 'knex';
import { OutboundCallModel } from '../models/platform-call.ts';
import type { OutboundCall } from './outbound-calls.ts';

export interface OutboundCallRecord extends Omit<OutboundCall, 'channelId' | 'workspaceId' | 'callerRequestId'> {
  readonly id: number;
  readonly callerRequestId: string | null;
}

const columns = [
  ...['id', 'via', 'caller', 'operation', 'method', 'path', 'status', 'error', 'duration_ms', 'request_id'],
  'caller_request_id',
  ...['platform_request_id', 'started_at'],
];

export interface OutboundCallPage {
  readonly channelId: number;
  readonly workspaceId: number;
  readonly requestId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Number of the last call on the previous page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns the calls made for a channel while it was in this workspace, newest first. */
export async function listOutboundCalls(db: Knex, page: OutboundCallPage): Promise<OutboundCallRecord[]> {
  const { channelId, workspaceId, requestId, since, until, before, limit } = page;
  const query = OutboundCallModel.query(db)
    .select(columns)
    .where({ channel_id: channelId, workspace_id: workspaceId })
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query.where('id', '<', before);
  if (requestId !== undefined) {
    query.where((either) => either.where({ request_id: requestId }).orWhere({ caller_request_id: requestId }));
  }
  if (since !== undefined) query.where('started_at', '>=', since);
  if (until !== undefined) query.where('started_at', '<', until);
  return await query;
}
