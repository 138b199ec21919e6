import { sequencedId } from '../../contract/ids.ts';
import type { ExportCounts, PersonExportLine } from '../../openapi/erasures/export-routes.ts';
import type { PersonScope } from '../../db/erasures/person-scope.ts';
import {
  readContainers,
  readKeptAnswers,
  readOutboundCalls,
  type ReadPart,
  readScheduledMessages,
  readScheduledPosts,
} from '../../db/erasures/person-calls.ts';
import {
  type ConversationEvents,
  type FoundEvent,
  nextConversationEvents,
  nextAttemptsOf,
  nextDeliveriesOf,
  nextPersonEvents,
  type PersonEvent,
  readPersonEvents,
} from '../../db/erasures/person-events.ts';
import type { ChannelPosition } from '../../db/erasures/walk-channels.ts';
import { readUnroutedItems } from '../../db/erasures/unrouted-items.ts';
import { openMessage } from '../../db/scheduled/records.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import { presentAttempt, presentDelivery } from '../deliveries/present.ts';
import type { ApiDeps } from '../requests/deps.ts';

type Deps = Pick<ApiDeps, 'db' | 'idKey' | 'bodyBox' | 'secretBox' | 'log' | 'now'>;

export interface PersonLines {
  readonly scope: PersonScope;
  /** Public ids. */
  readonly shown: { readonly workspaceId: string | null; readonly channelId: string | null };
  /** Aborts if the client is gone, loses access, or the server stops. */
  readonly signal: AbortSignal;
}

type Lines = AsyncGenerator<readonly PersonExportLine[], void, void>;

/** Bounds of one statement, and so of the memory. One event may be larger. */
const PAGE_EVENTS = 50;
const PAGE_BYTES = 256 * 1024;
const PAGE_ROWS = 100;
/** Proxies close connections that are quiet for a minute. */
const QUIET_MS = 15_000;

/**
 * Yields all records of a person, and at the end their counts. Takes a page only after the client has taken the one
 * before. Throws if the signal aborts, so that the export has no end.
 */
export async function* personLines(
  deps: Deps,
  { scope, shown, signal }: PersonLines,
): AsyncGenerator<string, void, void> {
  const counts = new Map<string, number>();
  let sentAtMs = deps.now();
  for await (const lines of linesOf(deps, scope, shown)) {
    signal.throwIfAborted();
    for (const { type } of lines) counts.set(type, (counts.get(type) ?? 0) + 1);
    const isQuiet = deps.now() - sentAtMs >= QUIET_MS;
    const sent = lines.length === 0 && isQuiet ? [{ type: 'progress' } as const] : lines;
    if (sent.length === 0) continue;
    sentAtMs = deps.now();
    yield encode(sent);
  }
  yield encode([{ type: 'end', counts: countsOf(counts) }]);
}

function encode(lines: readonly PersonExportLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function countsOf(byType: ReadonlyMap<string, number>): ExportCounts {
  const of = (type: PersonExportLine['type']): number => byType.get(type) ?? 0;
  return {
    events: of('event'),
    deliveries: of('delivery'),
    attempts: of('attempt'),
    outboundCalls: of('outbound_call'),
    keptAnswers: of('kept_answer'),
    containers: of('container'),
    scheduledPosts: of('scheduled_post'),
    scheduledMessages: of('scheduled_message'),
    unroutedEvents: of('unrouted_event'),
  };
}

async function* linesOf(deps: Deps, scope: PersonScope, shown: PersonLines['shown']): Lines {
  const createdAt = new Date(scope.createdAt).toISOString();
  yield [{ type: 'export', sender: scope.sender, personIds: [...scope.personIds], ...shown, createdAt }];
  yield* eventLines(deps, scope);
  yield* conversationLines(deps, scope);
  yield* partLines(deps, { scope, read: readOutboundCalls }, ({ channelPublicId, startedAt, ...call }) => ({
    type: 'outbound_call',
    channelId: channelPublicId,
    ...call,
    startedAt: startedAt.toISOString(),
  }));
  yield* partLines(deps, { scope, read: readKeptAnswers }, ({ channelPublicId, operation, answer, createdAt: at }) => ({
    type: 'kept_answer',
    channelId: channelPublicId,
    operation,
    answer,
    createdAt: at.toISOString(),
  }));
  yield* partLines(deps, { scope, read: readContainers }, (container) => ({
    type: 'container',
    channelId: container.channelPublicId,
    containerId: container.containerPublicId,
    status: container.status,
    request: container.request,
    createdAt: container.createdAt.toISOString(),
  }));
  yield* partLines(deps, { scope, read: readScheduledPosts }, ({ channelPublicId, publicId, input, ...post }) => ({
    type: 'scheduled_post',
    channelId: channelPublicId,
    scheduledPostId: publicId,
    status: post.status,
    publishAt: post.publishAt.toISOString(),
    container: { ...input },
    createdAt: post.createdAt.toISOString(),
  }));
  yield* partLines(deps, { scope, read: readScheduledMessages }, (scheduled) => {
    const message = openMessage(deps.secretBox, scheduled);
    return {
      type: 'scheduled_message',
      channelId: scheduled.channelPublicId,
      scheduledMessageId: scheduled.publicId,
      status: scheduled.status,
      sendAt: scheduled.sendAt.toISOString(),
      message: message && { ...message },
      createdAt: scheduled.createdAt.toISOString(),
    };
  });
  yield* unroutedLines(deps, scope);
}

async function* unroutedLines({ db, bodyBox }: Deps, scope: PersonScope): Lines {
  for (let after: number | undefined = 0; after !== undefined;) {
    const { items, next }: Awaited<ReturnType<typeof readUnroutedItems>> = await readUnroutedItems(db, {
      scope,
      after,
      open: bodyBox.open,
    });
    yield items.map(({ channelPublicId, eventType, receivedAt, body }) => ({
      type: 'unrouted_event',
      channelId: channelPublicId,
      eventType,
      receivedAt: receivedAt.toISOString(),
      payload: body?.toString('utf8') ?? '',
    }));
    after = next;
  }
}

async function* eventLines(deps: Deps, scope: PersonScope): Lines {
  for (let after = 0; ;) {
    const found = await nextPersonEvents(deps.db, scope, after);
    const last = found.at(-1);
    if (!last) return;
    after = last.id;
    yield* foundLines(deps, scope, found);
  }
}

/** The deliveries of an event follow each other, so that they are in one part or in two. */
async function* conversationLines(deps: Deps, scope: PersonScope): Lines {
  let before: ReadonlySet<number> = new Set();
  for (let at: ChannelPosition | undefined = { atChannelId: 0, atId: 0 }; at;) {
    const { found, next }: ConversationEvents = await nextConversationEvents(deps.db, scope, at);
    yield []; // shows that the search continues
    const known = before;
    yield* foundLines(
      deps,
      scope,
      found.filter(({ id }) => !known.has(id)),
    );
    before = new Set(found.map(({ id }) => id));
    at = next;
  }
}

async function* foundLines(deps: Deps, scope: PersonScope, found: readonly FoundEvent[]): Lines {
  for (const ids of pagesOf(found)) {
    const events = await readPersonEvents(deps.db, scope, ids);
    yield events.map((event) => presentEvent(event, deps));
    yield* deliveryLines(
      deps,
      events.map(({ id }) => id),
    );
  }
}

function* pagesOf(found: readonly FoundEvent[]): Generator<readonly number[]> {
  let page: number[] = [];
  let bytes = 0;
  for (const { id, bodyBytes } of found) {
    if (page.length >= PAGE_EVENTS || (page.length > 0 && bytes + bodyBytes > PAGE_BYTES)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(id);
    bytes += bodyBytes;
  }
  if (page.length > 0) yield page;
}

function presentEvent({ id, receivedAt, body, ...event }: PersonEvent, deps: Deps): PersonExportLine {
  const eventId = sequencedId(deps.idKey, 'event', id);
  return {
    type: 'event',
    eventId,
    channelId: event.channelPublicId,
    workspaceId: event.workspacePublicId,
    eventType: event.eventType,
    sender: event.sender,
    platformMessageId: event.platformMessageId,
    receivedAt: receivedAt.toISOString(),
    payload: openBodies(deps, eventId).attempt(body)?.toString('utf8') ?? null,
  };
}

async function* deliveryLines(deps: Deps, eventIds: readonly number[]): Lines {
  for (let after: number | undefined = 0; after !== undefined;) {
    const { deliveries, next }: Awaited<ReturnType<typeof nextDeliveriesOf>> = await nextDeliveriesOf(deps.db, {
      eventIds,
      after,
      limit: PAGE_ROWS,
    });
    after = next;
    yield deliveries.map((delivery) => ({ type: 'delivery', ...presentDelivery(delivery, deps.idKey) }));
    yield* attemptLines(
      deps,
      deliveries.map(({ id }) => id),
    );
  }
}

async function* attemptLines(deps: Deps, deliveryIds: readonly number[]): Lines {
  for (let after = { deliveryId: 0, number: 0 }; ;) {
    const attempts = await nextAttemptsOf(deps.db, { deliveryIds, after, limit: PAGE_ROWS });
    const last = attempts.at(-1);
    if (!last) return;
    after = { deliveryId: last.deliveryId, number: last.number };
    yield attempts.map((attempt) => {
      const deliveryId = sequencedId(deps.idKey, 'delivery', attempt.deliveryId);
      return {
        type: 'attempt',
        deliveryId,
        ...presentAttempt(attempt, { open: openBodies(deps, deliveryId), idKey: deps.idKey }),
      };
    });
  }
}

interface Parts<Row> {
  readonly scope: PersonScope;
  readonly read: ReadPart<Row>;
}

async function* partLines<Row>(
  { db }: Deps,
  { scope, read }: Parts<Row>,
  present: (row: Row) => PersonExportLine,
): Lines {
  for (let after: number | undefined = 0; after !== undefined;) {
    const { rows, next }: Awaited<ReturnType<ReadPart<Row>>> = await read(db, scope, after);
    yield rows.map(present);
    after = next;
  }
}
