import { type EnvelopeItem, splitEnvelope } from './split-envelope.ts';
import { acceptItems } from '../../db/ledger/accept.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import { createShardWakes } from '../../db/core/shard-wakes.ts';
import { isDataError, type HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';
import { noTraces, type Span, type Traces } from '../../process/traces/traces.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import type { EnvelopeVocabulary } from '../../contract/envelope/vocabulary.ts';
import { platformVocabulary } from '../../platform/webhooks/envelope-vocabulary.ts';
import { toAcceptItems } from './accept-item.ts';
import { createCommitPace } from './commit-pace.ts';
import { createGroupCommit } from './group-commit.ts';
import { beginCommit, endRequest, traceBatch, type TracedItem } from './trace-events.ts';

export interface PlatformEvents {
  accept(body: Buffer): Promise<'accepted' | 'malformed'>;
  idle(): Promise<void>;
}

const COMMIT_BOUNDS = {
  /** Takes about 20 ms. Larger commits would only delay their first requests. */
  maxItemsPerCommit: 512,
  /** Takes about 30 ms. A batch repeats the envelope, so bodies can exceed the request. */
  maxBytesPerCommit: 2 * 1024 * 1024,
  /** Nearly all requests fit into one turn. */
  itemsPerTurn: 64,
  /** About two seconds at the highest rate. */
  maxWaitingItems: 10_000,
  /** More than one request of 4 MiB can expand to. */
  maxWaitingBytes: 64 * 1024 * 1024,
} as const;
const ITEM_OVERHEAD_BYTES = 512;

export interface PlatformEventsDeps {
  readonly pool: HotPool;
  /** Optional. Omit to store bodies unencrypted. */
  readonly bodyBox?: BodyBox;
  readonly log: Log;
  /** Optional. Default: `platformVocabulary`. */
  readonly vocabulary?: EnvelopeVocabulary;
  readonly meter?: Pick<ApiMeter, 'accepted' | 'committed' | 'commitFailed'>;
  /** Optional. Default: no traces. */
  readonly traces?: Traces;
}

export function createPlatformEvents({ pool, bodyBox, log, meter, ...words }: PlatformEventsDeps): PlatformEvents {
  const { vocabulary = platformVocabulary, traces = noTraces } = words;
  const wakes = createShardWakes({ pool, log });
  const commits = createGroupCommit<TracedItem>({
    write: (items) => traceBatch(traces, items, () => write(items)),
    keyOf: (item) => `${item.channelType} ${item.resourceId} ${item.key}`,
    isPoison: isDataError,
    bytesOf: ({ body }) => body.length + ITEM_OVERHEAD_BYTES,
    pace: createCommitPace(),
    ...COMMIT_BOUNDS,
  });
  return {
    async accept(body) {
      const startedAtMs = performance.now();
      const request = traces.root('webhook.receive', { kind: 'server' });
      const items = splitEnvelope(body, vocabulary);
      if ('malformed' in items) {
        request?.end({ error: 'malformed' });
        return 'malformed';
      }
      await commitItems(items, request);
      meter?.accepted((performance.now() - startedAtMs) / 1000);
      return 'accepted';
    },
    async idle() {
      await commits.idle();
      await wakes.idle();
    },
  };

  async function commitItems(items: readonly EnvelopeItem[], request: Span | undefined): Promise<void> {
    const trace = beginCommit(traces, request, items.length);
    let error: string | null = 'not_committed';
    try {
      await commits.commit(toAcceptItems(items, trace));
      error = null;
    } finally {
      endRequest(trace, { itemCount: items.length, error, log });
    }
  }

  async function write(items: readonly TracedItem[]): Promise<void> {
    const { pendingShards, ...accepted } = await acceptItems(pool, items, bodyBox).catch((error: unknown) => {
      meter?.commitFailed();
      throw error;
    });
    wakes.wake(pendingShards);
    meter?.committed({ itemCount: items.length, ...accepted });
    log.debug('events.accepted', { itemCount: items.length, ...accepted });
    if (accepted.unroutedCount > 0) log.warn('events.unrouted', { count: accepted.unroutedCount });
  }
}
