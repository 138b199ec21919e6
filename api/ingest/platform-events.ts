import { splitEnvelope } from './split-envelope.ts';
import { acceptItems, type AcceptItem } from '../../db/ledger/accept.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import { isDataError, type HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import type { EnvelopeVocabulary } from '../../contract/envelope/vocabulary.ts';
import { platformVocabulary } from '../../platform/webhooks/envelope-vocabulary.ts';
import { toAcceptItem } from './accept-item.ts';
import { createGroupCommit } from './group-commit.ts';

/** Takes the platform's events into the ledger. */
export interface PlatformEvents {
  /** Resolves once every item of the body is committed; `malformed` when the body is no JSON. Rejects when it could not be. */
  accept(body: Buffer): Promise<'accepted' | 'malformed'>;
  /** Waits for the commits under way. */
  idle(): Promise<void>;
}

const COMMIT_BOUNDS = {
  /** A commit this large takes some 20 ms; more would only keep the first of its requests waiting. */
  maxItemsPerCommit: 512,
  /** Takes some 30 ms. Envelopes of a batch repeat what is around their items, so bodies outgrow the request. */
  maxBytesPerCommit: 2 * 1024 * 1024,
  /** Larger than nearly all requests, which are whole in their first turn; small enough that eight fill a commit. */
  itemsPerTurn: 64,
  /** About two seconds of the highest rate: what waits beyond it is refused, and the platform asks again. */
  maxWaitingItems: 10_000,
  /** More than one request of 4 MiB can become. */
  maxWaitingBytes: 64 * 1024 * 1024,
} as const;
/** What an item takes besides its body: its object, ids and hash. */
const ITEM_OVERHEAD_BYTES = 512;

export interface PlatformEventsDeps {
  readonly pool: HotPool;
  /** Optional: omit to store bodies in the clear. */
  readonly bodyBox?: BodyBox;
  readonly log: Log;
  /** The words of the envelopes; left out for the platform's usual ones. */
  readonly vocabulary?: EnvelopeVocabulary;
  readonly meter?: Pick<ApiMeter, 'accepted' | 'committed' | 'commitFailed'>;
}

export function createPlatformEvents({ pool, bodyBox, log, meter, ...words }: PlatformEventsDeps): PlatformEvents {
  const { vocabulary = platformVocabulary } = words;
  const commits = createGroupCommit<AcceptItem>({
    write,
    keyOf: (item) => `${item.channelType} ${item.resourceId} ${item.key}`,
    isPoison: isDataError,
    bytesOf: ({ body }) => body.length + ITEM_OVERHEAD_BYTES,
    ...COMMIT_BOUNDS,
  });
  return {
    async accept(body) {
      const startedAtMs = performance.now();
      const items = splitEnvelope(body, vocabulary);
      if ('malformed' in items) return 'malformed';
      await commits.commit(items.map(toAcceptItem));
      meter?.accepted((performance.now() - startedAtMs) / 1000);
      return 'accepted';
    },
    idle: () => commits.idle(),
  };

  async function write(items: readonly AcceptItem[]): Promise<void> {
    const accepted = await acceptItems(pool, items, bodyBox).catch((error: unknown) => {
      meter?.commitFailed();
      throw error;
    });
    meter?.committed({ itemCount: items.length, ...accepted });
    log.debug('events.accepted', { itemCount: items.length, ...accepted });
    if (accepted.unroutedCount > 0) log.warn('events.unrouted', { count: accepted.unroutedCount });
  }
}
