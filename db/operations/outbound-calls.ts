import type { Knex } from 'knex';
import type { Log } from '../../process/log.ts';

export const callRoutes = ['gateway', 'api', 'workflow'] as const;
/** Which way a call took to the platform. */
export type CallRoute = (typeof callRoutes)[number];

/** One call that left for the platform. */
export interface OutboundCall {
  /** Null: for no channel yet, or for several at once. */
  readonly channelId: number | null;
  /** Null: for none yet. */
  readonly workspaceId: number | null;
  readonly via: CallRoute;
  /** Public id of the credential or the onboarding link, the beginning of a channel token, or a workflow id. */
  readonly caller: string;
  /** The typed operation; null for what the gateway passes on. */
  readonly operation: string | null;
  readonly method: string;
  /** Below the version, without the query. */
  readonly path: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** The platform's code and subcode, or what kept the answer from coming. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly requestId: string;
  /** The platform's own id of the call, which its support asks for. */
  readonly platformRequestId: string | null;
  readonly startedAt: Date;
}

export interface OutboundLog {
  record(call: OutboundCall): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** A call is in the list this soon; the writes of a busy gateway are a few a second. */
const FLUSH_MS = 200;
const BATCH = 500;
/** Some seconds of a busy gateway, should the database be away; what is beyond is counted and dropped. */
const MAX_WAITING = 20_000;
const MAX_PATH = 500;

/** Writes calls down in batches, so that a call waits for no write. */
export function createOutboundLog({ db, log }: { readonly db: Knex; readonly log: Log }): OutboundLog {
  const waiting: OutboundCall[] = [];
  let dropped = 0;
  let writing = Promise.resolve();

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      await insertCalls(db, batch);
      waiting.splice(0, batch.length);
    }
    if (dropped > 0) log.warn('outboundCalls.dropped', { count: dropped });
    dropped = 0;
  }
  const tryFlush = (): Promise<void> =>
    (writing = writing.then(flush).catch((error: unknown) => log.warn('outboundCalls.missed', { error })));
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
  await db('outbound_calls').insert(
    calls.map((call) => ({
      channel_id: call.channelId,
      workspace_id: call.workspaceId,
      via: call.via,
      caller: call.caller,
      operation: call.operation,
      method: call.method,
      path: call.path.slice(0, MAX_PATH),
      status: call.status,
      error: call.error,
      duration_ms: Math.max(0, Math.round(call.durationMs)),
      request_id: call.requestId,
      platform_request_id: call.platformRequestId,
      started_at: call.startedAt,
    })),
  );
}
