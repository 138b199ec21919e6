import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ApiClient, Schema } from './create-client.ts';
import { ApiError } from './errors.ts';

export interface FollowDeliveries {
  readonly client: ApiClient;
  /** `channel:<id>`, or `workspace:<id>` for the client's workspace. */
  readonly scope: string;
  /** Optional. Filters by the new status; all by default. */
  readonly statuses?: readonly string[] | undefined;
  /** Optional. Filters by event type; all by default. */
  readonly eventTypes?: readonly string[] | undefined;
  /** Optional. Resumes after this event; starts now by default. */
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
  /** Optional. Called when the connection is lost, before the next attempt. */
  readonly onLost?: ((reason: Error) => void) | undefined;
  /** Optional. Called on each successful connection. */
  readonly onOpen?: (() => void) | undefined;
}

export interface FollowedDelivery {
  /** Resumes the stream after this delivery. */
  readonly lastEventId: string;
  readonly delivery: Schema<'DeliverySummary'>;
}

/** The service sends a comment line every 15 s, so a connection that is silent for three intervals is dead. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Yields the changes of deliveries and reconnects as needed. After a reconnect, the changes since the last event come first.
 * Returns when the signal aborts. Throws if the service refuses the request, for example because the key was revoked.
 */
export async function* followDeliveries(follow: FollowDeliveries): AsyncGenerator<FollowedDelivery> {
  const { signal, onLost } = follow;
  let { lastEventId } = follow;
  let pauseMs = FIRST_PAUSE_MS;
  const onPlace = (place: string): void => {
    lastEventId = place;
    pauseMs = FIRST_PAUSE_MS;
  };
  while (!signal.aborted) {
    const lost = yield* deliveriesOf({ ...follow, lastEventId }, onPlace);
    if (signal.aborted) return;
    if (lost) {
      if (!isTemporary(lost)) throw lost;
      onLost?.(lost);
    }
    await pause(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** Yields the deliveries of one connection. Returns the error that ended it, or undefined if the service closed it. */
async function* deliveriesOf(
  follow: FollowDeliveries,
  onPlace: (place: string) => void,
): AsyncGenerator<FollowedDelivery, Error | undefined> {
  try {
    for await (const { id, event, data } of connection(follow)) {
      if (id !== undefined) onPlace(id);
      if (event !== 'delivery' || id === undefined) continue;
      yield { lastEventId: id, delivery: JSON.parse(data) as Schema<'DeliverySummary'> };
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Yields the messages of one connection, and ids that come without a message. The service sends such ids at the start and
 * while nothing matches. Without them, a reconnect would miss changes.
 */
async function* connection(
  follow: FollowDeliveries,
): AsyncGenerator<Pick<EventSourceMessage, 'id' | 'event' | 'data'>> {
  const { client, lastEventId, signal, onOpen } = follow;
  const silence = new AbortController();
  const response = await client.fetch(`/deliveries/stream?${queryOf(follow)}`, {
    headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: AbortSignal.any([signal, silence.signal]),
  });
  onOpen?.();
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  let unfinished = '';
  try {
    for (;;) {
      const timer = setTimeout(() => silence.abort(new Error('The stream sent nothing for too long')), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      parser.feed(text);
      yield* messages.splice(0);
      // Only ids of complete messages count, so that a message that broke off after its id is sent again.
      const whole = (unfinished + text).split('\n\n');
      unfinished = whole.pop() ?? '';
      const place = lastPlace(whole);
      if (place !== undefined) yield { id: place, data: '' };
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the connection may be closed already
  }
}

function queryOf({ scope, statuses, eventTypes }: FollowDeliveries): URLSearchParams {
  return new URLSearchParams({
    scope,
    ...(statuses && { status: statuses.join(',') }),
    ...(eventTypes && { eventType: eventTypes.join(',') }),
  });
}

function lastPlace(messages: readonly string[]): string | undefined {
  const line = messages.flatMap((message) => message.split('\n')).findLast((one) => one.startsWith('id: '));
  return line?.slice('id: '.length);
}

/** Client errors are permanent, except 429. Server and network errors are temporary. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof ApiError) || error.statusCode >= 500 || error.statusCode === 429;
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
  });
}
