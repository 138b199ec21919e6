import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { StopList } from '../../../../dev/processes/stop-list.ts';
import { readBody } from '../../../../simulator/servers/http-server.ts';
import { ArrivalRecord, messageIdOf } from '../../../harness/system/arrival-record.ts';
import { onLoopback } from '../../../harness/connections/loopback.ts';

/** A webhook whose probes pass. It records the deliveries that it accepts. */
export interface Hook {
  readonly url: string;
  readonly record: ArrivalRecord;
  /** The first arrival of each message, by the monotonic clock. */
  readonly arrivedAtMs: ReadonlyMap<string, number>;
  /** Probes wait from now on, until `release` is called. */
  hold(): Held;
}

export interface Held {
  readonly probeCount: () => number;
  release(): void;
}

export interface HookOptions {
  readonly name: string;
  /** Optional. Returns true for messages that are refused with 500. Default: none. */
  readonly isRefusing?: (id: string) => boolean;
  readonly sentAtMs: (id: string) => number | undefined;
}

const MAX_BODY_BYTES = 256 * 1024;
const KEEP_ALIVE_MS = 120_000;

export async function startHook({ name, isRefusing, sentAtMs }: HookOptions, stops: StopList): Promise<Hook> {
  const record = new ArrivalRecord();
  const arrivedAtMs = new Map<string, number>();
  let isHeld = Promise.resolve();
  let probeCount = 0;

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (request.method === 'GET') {
      probeCount++;
      await isHeld;
      const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      response.end(searchParams.get('hub.challenge') ?? '');
      return;
    }
    const id = messageIdOf(body);
    if (id !== undefined && isRefusing?.(id)) {
      response.writeHead(500, { 'content-length': 0 }).end();
      return;
    }
    if (id !== undefined) {
      record.add(id, sentAtMs(id) ?? 0);
      if (!arrivedAtMs.has(id)) arrivedAtMs.set(id, performance.now());
    }
    response.writeHead(200, { 'content-length': 0 }).end();
  };

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // A killed sender leaves an incomplete request.
    receive(request, response).catch(() => response.destroy());
  });
  const { url, stop } = await onLoopback(server);
  stops.add({ name: `receiver ${name}`, stop });
  return {
    url: `${url}/${name}`,
    record,
    arrivedAtMs,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = probeCount;
      isHeld = promise;
      return { probeCount: () => probeCount - before, release: resolve };
    },
  };
}
