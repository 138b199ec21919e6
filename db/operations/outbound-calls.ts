import type { Knex } from 'knex';
import type { Log } from '../../process/log.ts';
import { OutboundCallModel } from '../models/platform-call.ts';
import type { RowOf } from '../core/model.ts';
import { pathPattern } from '../../contract/traces/path-pattern.ts';
import type { Traces } from '../../process/traces/traces.ts';

export type OutboundCallRecord = RowOf<OutboundCallModel>;

export interface OutboundCall extends Omit<OutboundCallRecord, 'id' | 'createdAt' | 'callerRequestId'> {
  /** Optional. The caller's own `x-request-id`. */
  readonly callerRequestId?: string | null;
}

export interface OutboundLog {
  record(call: OutboundCall): void;
  /** Writes the remaining calls. */
  stop(): Promise<void>;
}

/** Limits a busy gateway to a few writes a second. */
const FLUSH_MS = 200;
const BATCH_SIZE = 500;
/** Some seconds of a busy gateway while the database is unavailable. Further calls are counted and dropped. */
const MAX_WAITING = 20_000;
const MAX_PATH_LENGTH = 500;

/** Batches its writes, so that no call waits for one. */
export function createOutboundLog({ db, log }: { readonly db: Knex; readonly log: Log }): OutboundLog {
  const waiting: OutboundCall[] = [];
  let dropped = 0;
  let writing = Promise.resolve();

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE);
      await insertCalls(db, batch);
      waiting.splice(0, batch.length);
    }
    if (dropped > 0) log.warn('outboundCalls.dropped', { count: dropped });
    dropped = 0;
  }
  const tryFlush = (): Promise<void> =>
    (writing = writing.then(flush).catch((error: unknown) => log.warn('outboundCalls.writeFailed', { error })));
  const timer = setInterval(() => void tryFlush(), FLUSH_MS);
  timer.unref();

  return {
    record(call) {
      if (waiting.length >= MAX_WAITING) dropped++;
      else waiting.push(call);
    },
    async stop() {
      clearInterval(timer);
      await tryFlush();
    },
  };
}

async function insertCalls(db: Knex, calls: readonly OutboundCall[]): Promise<void> {
  await OutboundCallModel.query(db).insert(
    calls.map((call) => ({
      ...call,
      path: call.path.slice(0, MAX_PATH_LENGTH),
      durationMs: Math.max(0, Math.round(call.durationMs)),
    })),
  );
}

interface OutboundCallPage {
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

/** Adds a span for each call to the trace in which it was made. The platform gets no `traceparent`. */
export function traceOutboundCalls(outbound: OutboundLog, traces: Traces): OutboundLog {
  return {
    ...outbound,
    record(call) {
      const parent = traces.active();
      if (parent) {
        const { method, path, operation, via, status, error, platformRequestId, requestId, durationMs } = call;
        const startedAtMs = call.startedAt.getTime();
        const attributes = {
          'http.request.method': method,
          'http.response.status_code': status,
          'platform.path': pathPattern(path),
          'platform.operation': operation,
          'platform.via': via,
          'platform.request_id': platformRequestId,
          'request.id': requestId,
        };
        const span = traces.child('platform.call', parent, { kind: 'client', attributes, startedAtMs });
        span?.end({ error, endedAtMs: startedAtMs + durationMs });
      }
      outbound.record(call);
    },
  };
}
