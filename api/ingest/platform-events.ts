import { type EnvelopeItem, splitEnvelope } from './split-envelope.ts';
import { type AccountChannel, requestHealthChecks } from '../../db/channels/business-accounts.ts';
import { acceptItems } from '../../db/ledger/accept.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import { createShardWakes } from '../../db/core/shard-wakes.ts';
import { isDataError, type HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';
import { noTraces, type Span, type Traces } from '../../process/traces/traces.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import type { EnvelopeVocabulary } from '../../contract/envelope/vocabulary.ts';
import { platformVocabulary } from '../../platform/webhooks/envelope-vocabulary.ts';
import { type BackgroundCheckDeps, checkInBackground } from '../channels/background-check.ts';
import { toAcceptItems } from './accept-item.ts';
import { hasNotice, spreadNotices } from './spread-notices.ts';
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
  /** Optional. Omit to leave the checks to the schedule. */
  readonly checks?: BackgroundCheckDeps;
}

/** Of one notice, which may be about thousands of channels. */
const CONCURRENT_CHECKS = 4;

export function createPlatformEvents({ pool, bodyBox, log, meter, ...words }: PlatformEventsDeps): PlatformEvents {
  const { vocabulary = platformVocabulary, traces = noTraces } = words;
  const checks = new Set<Promise<void>>();
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
      await Promise.all(checks);
    },
  };

  async function commitItems(found: readonly EnvelopeItem[], request: Span | undefined): Promise<void> {
    const trace = beginCommit(traces, request, found.length);
    let error: string | null = 'not_committed';
    try {
      const spread = hasNotice(found) ? await spreadNotices(pool, found) : undefined;
      await commits.commit(toAcceptItems(spread?.items ?? found, trace));
      error = null;
      if (spread && spread.toCheck.length > 0) checkSoon(spread.toCheck);
    } finally {
      endRequest(trace, { itemCount: found.length, error, log });
    }
  }

  /** The platform's answer does not wait for Temporal. */
  function checkSoon(channels: readonly AccountChannel[]): void {
    const check = startChecks(channels).finally(() => checks.delete(check));
    checks.add(check);
  }

  async function startChecks(channels: readonly AccountChannel[]): Promise<void> {
    try {
      await requestHealthChecks(
        pool,
        channels.map(({ id }) => id),
      );
      const rest = channels.values();
      await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, () => checkRest(rest)));
    } catch (error) {
      log.warn('channelHealth.startFailed', { channelCount: channels.length, error });
    }
  }

  /** Leaves the rest to the schedule as soon as a check can't start. */
  async function checkRest(rest: Iterable<AccountChannel>): Promise<void> {
    if (!words.checks) return;
    for (const { publicId: channelId, workspacePublicId: workspaceId, organizationId } of rest) {
      if (!(await checkInBackground(words.checks, { organizationId, channelId, workspaceId }))) return;
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
