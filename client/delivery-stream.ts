import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ApiClient, Schema } from './create-client.ts';
import { ApiError } from './errors.ts';

export interface FollowDeliveries {
  readonly client: ApiClient;
  /** `channel:<id>`, or `workspace:<id>` for all of the client's workspace. */
  readonly scope: string;
  /** Only deliveries that come into one of these states; of all where left out. */
  readonly statuses?: readonly string[] | undefined;
  /** Only of these types. */
  readonly eventTypes?: readonly string[] | undefined;
  /** Place after which to go on; left out, from now on. */
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
  /** Called when the connection was lost and before it is tried again. */
  readonly onLost?: ((reason: Error) => void) | undefined;
  /** Called when the service has answered, at the beginning and after each loss. */
  readonly onOpen?: (() => void) | undefined;
}

export interface FollowedDelivery {
  /** Where to go on from after this one. */
  readonly lastEventId: string;
  readonly delivery: Schema<'DeliverySummary'>;
}

/** The service beats every 15 s: a connection that has been silent for three beats is dead, whatever it looks like. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Every change of deliveries from a place on, over as many connections as it takes: what changed while
 * none was open comes first. Ends when the signal aborts; throws when the service refuses (a revoked key, say).
 */
export async function* followDeliveries(follow: FollowDeliveries): AsyncGenerator<FollowedDelivery> {
  const { signal, onLost } = follow;
  let { lastEventId } = follow;
  let pauseMs = FIRST_PAUSE_MS;
  const onMoved = (place: string): void => {
    lastEventId = place;
    pauseMs = FIRST_PAUSE_MS;
  };
  while (!signal.aborted) {
    const lost = yield* deliveriesOf({ ...follow, lastEventId }, onMoved);
    if (signal.aborted) return;
    if (lost) {
      if (!isWorthAnotherTry(lost)) throw lost;
      onLost?.(lost);
    }
    await pause(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** The deliveries of one connection; at its end, what it was lost for, or nothing where the service closed it. */
async function* deliveriesOf(
  follow: FollowDeliveries,
  onMoved: (place: string) => void,
): AsyncGenerator<FollowedDelivery, Error | undefined> {
  try {
    for await (const { id, event, data } of connection(follow)) {
      if (id !== undefined) onMoved(id);
      if (event !== 'delivery' || id === undefined) continue;
      yield { lastEventId: id, delivery: JSON.parse(data) as Schema<'DeliverySummary'> };
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * The messages of one connection, and after them the place that the service has named last: it moves on in silence too,
 * and without the one that comes first, a connection that broke early would be followed by a gap.
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
      const timer = setTimeout(() => silence.abort(new Error('The stream fell silent')), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      parser.feed(text);
      yield* messages.splice(0);
      // Of whole messages only: one that broke off after its id has not been seen, and must come again.
      const whole = (unfinished + text).split('\n\n');
      unfinished = whole.pop() ?? '';
      const place = lastPlace(whole);
      if (place !== undefined) yield { id: place, data: '' };
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the connection may be gone already
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

/** What the service refuses for good ends the following; being full, stopping or unreachable does not. */
function isWorthAnotherTry(error: unknown): boolean {
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
