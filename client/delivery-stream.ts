import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ApiClient, Schema } from './create-client.ts';
import { ApiError } from './errors.ts';

export interface FollowDeliveries {
  readonly client: ApiClient;
  /** `channel:<id>`, or `workspace:<id>` for the client's workspace. */
  readonly scope: string;
  /** Optional. Default: all. */
  readonly statuses?: readonly string[] | undefined;
  /** Optional. Default: all. */
  readonly eventTypes?: readonly string[] | undefined;
  /** Optional. Default: starts now. */
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
  /** Optional. Called before the next attempt. */
  readonly onLost?: ((reason: Error) => void) | undefined;
  readonly onOpen?: (() => void) | undefined;
}

export interface FollowedDelivery {
  readonly lastEventId: string;
  readonly delivery: Schema<'DeliverySummary'>;
}

/** The service sends a comment every 15 s. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Yields the changes of deliveries and reconnects without gaps. Returns when the signal aborts. Throws on permanent
 * errors.
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

/** Returns the error that ended the connection, or undefined if the service closed it. */
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
 * Also yields ids without a message. The service sends them while nothing matches; without them, a reconnect would miss
 * changes.
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
      // Only complete messages count: a truncated one is sent again.
      const whole = (unfinished + text).split('\n\n');
      unfinished = whole.pop() ?? '';
      const place = lastPlace(whole);
      if (place !== undefined) yield { id: place, data: '' };
    }
  } finally {
    await reader.cancel().catch(() => undefined); // may be closed already
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
