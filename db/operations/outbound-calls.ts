import type { Knex } from 'knex';
import type { Log } from '../../process/log.ts';
import { type CallRoute, OutboundCallModel } from '../models/platform-call.ts';

export interface OutboundCall {
  /** Null if the call is for no channel yet, or for several. */
  readonly channelId: number | null;
  /** Null if the call is for no workspace yet. */
  readonly workspaceId: number | null;
  readonly via: CallRoute;
  /** Public id of the credential or the onboarding link, the first characters of a channel token, or a workflow id. */
  readonly caller: string;
  /** Null for a call that the gateway forwards. */
  readonly operation: string | null;
  readonly method: string;
  /** Below the version, without the query. */
  readonly path: string;
  /** Null if no response arrived. */
  readonly status: number | null;
  /** The platform's code and subcode, or why no response arrived. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly requestId: string;
  /** Optional. The caller's own `x-request-id`. */
  readonly callerRequestId?: string | null;
  /** The platform's id of the call, for its support. */
  readonly platformRequestId: string | null;
  readonly startedAt: Date;
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
