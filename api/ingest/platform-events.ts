import { fewAtATime } from '../../contract/few-at-a-time.ts';
import { type EnvelopeItem, splitEnvelope, type EnvelopeItemKey } from './split-envelope.ts';
import {
  type AccountChannel,
  requestHealthChecks,
  channelsOfBusinessAccounts,
} from '../../db/channels/business-accounts.ts';
import { acceptItems, type AcceptItem } from '../../db/ledger/accept.ts';
import type { DeliveryOffer } from '../../db/ledger/offers/delivery-offer.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import { createShardWakes } from '../../db/core/shard-wakes.ts';
import { isDataError, type HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';
import { noTraces, type Span, type Traces } from '../../process/traces/traces.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import { keyWords } from '../../contract/envelope/vocabulary.ts';
import { platformVocabulary } from '../../platform/webhooks/envelope-vocabulary.ts';
import { type BackgroundCheckDeps, checkInBackground } from '../channels/background-check.ts';
import { createCommitPace, createGroupCommit } from './group-commit.ts';
import { hash } from 'node:crypto';
import { conversationKey } from '../../db/deliveries/conversation-key.ts';

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
  readonly meter?: Pick<ApiMeter, 'accepted' | 'committed' | 'commitFailed'>;
  /** Optional. Default: no traces. */
  readonly traces?: Traces;
  /** Optional. Offers deliveries to workers, and returns the shards of those that it could not. Default: pumps claim all. */
  readonly offer?: (offers: readonly DeliveryOffer[]) => readonly number[];
  /** Optional. Omit to leave the checks to the schedule. */
  readonly checks?: BackgroundCheckDeps;
}

/** Of one notice, which may be about thousands of channels. */
const CONCURRENT_CHECKS = 4;

export function createPlatformEvents(deps: PlatformEventsDeps): PlatformEvents {
  const { pool, bodyBox, log, meter, traces = noTraces } = deps;
  const checks = new Set<Promise<void>>();
  const wakes = createShardWakes({ pool, log });
  let offered = Promise.resolve();
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
      const items = splitEnvelope(body, platformVocabulary);
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
      await offered;
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

  /** After the answers to the platform, which have waited for the commit. */
  async function offerSoon(offers: readonly DeliveryOffer[]): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    wakes.wake(deps.offer ? deps.offer(offers) : [...new Set(offers.map(({ shard }) => shard))]);
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
      // Leaves the rest to the schedule as soon as a check can't start.
      await fewAtATime(channels, CONCURRENT_CHECKS, startCheck);
    } catch (error) {
      log.warn('channelHealth.startFailed', { channelCount: channels.length, error });
    }
  }

  async function startCheck({ publicId, workspacePublicId, organizationId }: AccountChannel): Promise<boolean> {
    if (!deps.checks) return false;
    return checkInBackground(deps.checks, { organizationId, channelId: publicId, workspaceId: workspacePublicId });
  }

  async function write(items: readonly TracedItem[]): Promise<void> {
    const { offers, ...accepted } = await acceptItems(pool, items, bodyBox).catch((error: unknown) => {
      meter?.commitFailed();
      throw error;
    });
    offered = offerSoon(offers);
    meter?.committed({ itemCount: items.length, ...accepted });
    log.debug('events.accepted', { itemCount: items.length, ...accepted });
    if (accepted.unroutedCount > 0) log.warn('events.unrouted', { count: accepted.unroutedCount });
  }
}

/** 128 bits make collisions practically impossible. */
const KEY_HEX_DIGITS = 32;
const WHOLE_CHANNEL = 0;

/** Takes all items of an envelope, because equal ones may be numbered. */
export function toAcceptItems(items: readonly EnvelopeItem[], trace?: RequestTrace): TracedItem[] {
  const keys = keysOf(items);
  return items.map((item, index) => ({
    channelType: item.channelType,
    resourceId: item.resourceId,
    eventType: item.eventType,
    conversationKey: item.conversation === null ? WHOLE_CHANNEL : conversationKey(item.conversation),
    sender: item.sender,
    personIds: knownPeople(item),
    eventFlags: item.eventFlags ?? null,
    platformMessageId: item.platformMessageId,
    key: keys[index]!,
    body: item.body,
    traceParent: trace?.request.traceParent ?? null,
    commitSpan: trace?.commit,
  }));
}

/** Bounds what one event adds to the index of people. A person has three ids, and six while two of them change. */
const MAX_PERSON_IDS = 8;

/** Returns null if the sender is the only id. */
function knownPeople({ personIds, sender }: EnvelopeItem): readonly string[] | null {
  const isSenderOnly = personIds.length === 1 && personIds[0] === sender;
  return personIds.length === 0 || isSenderOnly ? null : personIds.slice(0, MAX_PERSON_IDS);
}

/** A field that changes to and fro within the time of one entry has equal values in it, and each is a change. */
function keysOf(items: readonly EnvelopeItem[]): string[] {
  const counts = new Map<string, number>();
  return items.map(({ key, resourceId }) => {
    const first = keyOf(key);
    if (!key.canRepeat || items.length === 1) return first;
    const counted = keyWords(first, resourceId);
    const before = counts.get(counted) ?? 0;
    counts.set(counted, before + 1);
    return before === 0 ? first : digestOf(keyWords(first, String(before)));
  });
}

function keyOf({ words, bytes }: EnvelopeItemKey): string {
  return digestOf(Buffer.concat([Buffer.from(keyWords(words, '')), bytes]));
}

function digestOf(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').slice(0, KEY_HEX_DIGITS);
}

/** The spans of a sampled request from the platform. */
interface RequestTrace {
  readonly request: Span;
  /** From the queue to the end of the commit, which other requests share. */
  readonly commit: Span | undefined;
}

interface TracedItem extends AcceptItem {
  readonly commitSpan: Span | undefined;
}

function beginCommit(traces: Traces, request: Span | undefined, itemCount: number): RequestTrace | undefined {
  if (!request) return undefined;
  const attributes = { 'events.count': itemCount };
  return { request, commit: traces.child('events.commit', request, { attributes }) };
}

function endRequest(
  trace: RequestTrace | undefined,
  { itemCount, error, log }: { readonly itemCount: number; readonly error: string | null; readonly log: Log },
): void {
  if (!trace) return;
  const { request, commit } = trace;
  commit?.end({ error });
  request.end({ attributes: { 'events.count': itemCount }, error });
  log.info('events.traced', { traceId: request.traceId, itemCount });
}

/** Runs a commit in a trace of its own, which the traces of its requests link to and which links to them. */
async function traceBatch<Result>(
  traces: Traces,
  items: readonly TracedItem[],
  commit: () => Promise<Result>,
): Promise<Result> {
  const spans = new Set<Span>();
  for (const { commitSpan } of items) if (commitSpan) spans.add(commitSpan);
  const batch = traces.batch('events.commitBatch', [...spans], { attributes: { 'events.count': items.length } });
  if (!batch) return await commit();
  for (const span of spans) span.link(batch);
  try {
    const result = await commit();
    batch.end();
    return result;
  } catch (error) {
    batch.end({ error: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}

/**
 * A notice about a business account names no number. It goes to each connected number of the account as an item of its
 * own. Without one, it stays an item of no channel.
 */

interface SpreadItems {
  readonly items: readonly EnvelopeItem[];
  /** Channels whose health must be checked now. */
  readonly toCheck: readonly AccountChannel[];
}

/** Bounds the copies that one request can cause. Further notices stay items of no channel. */
const MAX_ITEMS = 50_000;

function hasNotice(items: readonly EnvelopeItem[]): boolean {
  return items.some(({ notice }) => notice !== undefined);
}

async function spreadNotices(pool: HotPool, items: readonly EnvelopeItem[]): Promise<SpreadItems> {
  const accountIds = new Set(items.flatMap(({ notice }) => notice?.businessAccountId ?? []));
  const channels = await channelsOfBusinessAccounts(pool, [...accountIds]);
  const byAccount = Map.groupBy(channels, ({ businessAccountId }) => businessAccountId);
  const spread: EnvelopeItem[] = [];
  const toCheck = new Map<number, AccountChannel>();
  let room = MAX_ITEMS - items.length;
  for (const item of items) {
    const own = (item.notice && byAccount.get(item.notice.businessAccountId)) ?? [];
    if (own.length === 0 || own.length > room) {
      spread.push(item);
      continue;
    }
    room -= own.length;
    for (const channel of own) {
      spread.push({ ...item, resourceId: channel.resourceId });
      if (item.notice?.needsCheck) toCheck.set(channel.id, channel);
    }
  }
  return { items: spread, toCheck: [...toCheck.values()] };
}
