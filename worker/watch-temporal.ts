import { Client, type ConnectionLike } from '@temporalio/client';
import { searchAttributes } from '../contract/search-attributes.ts';
import type { BlockedBy } from '../metrics/temporal-metrics.ts';
import { isReachable, type NamespaceState, watchNamespace } from '../workflow-starts/namespace-state.ts';

export interface TemporalWatch {
  connected(connection: ConnectionLike): void;
  /** At most a few seconds old. */
  namespaceState(): Promise<NamespaceState>;
  /** How long Temporal has not answered; 0 while it does. Calls Temporal at most every few seconds. */
  unreachableMs(): Promise<number>;
  /** Counts running workflows that make no progress, at most once a minute. Undefined while Temporal does not answer. */
  blockedCounts(): Promise<Readonly<Partial<Record<BlockedBy, number>>> | undefined>;
}

export interface TemporalWatchOptions {
  readonly namespace: string;
  readonly installationId: string;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

const FRESH_FOR_MS = 5_000;
const COUNTED_FOR_MS = 60_000;
const COUNT_DEADLINE_MS = 5_000;
/** The server sets the second attribute after a few failed workflow tasks of a run. */
const blockedQueries = {
  activity: `${searchAttributes.blockedBy} is not null`,
  workflow_task: 'TemporalReportedProblems is not null',
} as const satisfies Record<BlockedBy, string>;

/** Counts from its creation until Temporal answers first. */
export function watchTemporal(options: TemporalWatchOptions): TemporalWatch {
  const { namespace, installationId, now = () => performance.now() } = options;
  let client: Client | undefined;
  let namespaceState = (): Promise<NamespaceState> => Promise.resolve('unreachable');
  let answeredAtMs = now();
  let asked: { readonly atMs: number; readonly answer: Promise<boolean> } | undefined;
  let counted: { readonly atMs: number; readonly counts: ReturnType<TemporalWatch['blockedCounts']> } | undefined;
  return {
    connected(connection) {
      client = new Client({ connection, namespace });
      namespaceState = watchNamespace({ client, own: { installationId }, now });
    },
    namespaceState: () => namespaceState(),
    async unreachableMs() {
      if (!asked || now() - asked.atMs >= FRESH_FOR_MS) {
        asked = { atMs: now(), answer: client ? isReachable(client.connection) : Promise.resolve(false) };
      }
      const { atMs, answer } = asked;
      if (await answer) answeredAtMs = Math.max(answeredAtMs, atMs);
      return (await answer) ? 0 : now() - answeredAtMs;
    },
    async blockedCounts() {
      if (!client) return undefined;
      if (!counted || now() - counted.atMs >= COUNTED_FOR_MS) counted = { atMs: now(), counts: countBlocked(client) };
      return await counted.counts;
    },
  };
}

async function countBlocked(client: Client): ReturnType<TemporalWatch['blockedCounts']> {
  const count = async (query: string): Promise<number> =>
    (await client.workflow.count(`ExecutionStatus = 'Running' and ${query}`)).count;
  const { activity, workflow_task } = blockedQueries;
  return await client
    .withDeadline(Date.now() + COUNT_DEADLINE_MS, async () => ({
      activity: await count(activity),
      // A server that is too old for the attribute refuses the query. That is not 0.
      ...(await count(workflow_task).then(
        (counted) => ({ workflow_task: counted }),
        () => ({}),
      )),
    }))
    .catch(() => undefined);
}
