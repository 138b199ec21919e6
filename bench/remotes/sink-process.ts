import { startSink, type SinkArrival } from '../../simulator/sink.ts';
import { serveRemote } from './remote.ts';
import { sequenceOf } from './webhooks.ts';

/**
 * Records the first arrival of each event, and the first attempt of each. `/slow/` answers after five seconds,
 * `/wait/<ms>/` after that time, and `/flaky/<percent>/` refuses that share of the requests.
 */
let arrivedAtMs = new Float64Array(0);
let attemptedAtMs = new Float64Array(0);
let arrivalCount = 0;
let distinctCount = 0;
let lastArrivedAtMs = 0;
/** Arrivals of a delivery that had arrived before, since the last `expect` or the one before it. */
let repeatedCount = 0;
let deliveryIds = new Set<string>();
let formerDeliveryIds = new Set<string>();
let waiter: { readonly count: number; readonly resolve: (isMet: boolean) => void } | undefined;

let isHealed = false;

const SLOW_MS = 5_000;
/** What a receiver usually takes; without it, in-flight limits would not bind. */
const FLAKY_DELAY_MS = 50;
const REFUSED = 500;

function answerTo(path: string, { body, arrivedAtMs: atMs }: SinkArrival) {
  const sequence = sequenceOf(body);
  if (sequence !== undefined && attemptedAtMs[sequence] === 0) attemptedAtMs[sequence] = atMs;
  const [kind = '', number] = path.slice(1).split('/');
  switch (kind) {
    case 'slow':
      return { delayMs: SLOW_MS };
    case 'wait':
      return { delayMs: Number(number) };
    case 'flaky':
      return { delayMs: FLAKY_DELAY_MS, status: isRefused(Number(number)) ? REFUSED : 200 };
    default:
      return undefined;
  }
}

function isRefused(percent: number): boolean {
  return !isHealed && Math.random() * 100 < percent;
}

const openSink = () => startSink({ port: 0, onRequest: note, answerTo });
const sink = await openSink();

function note({ deliveryId, body, arrivedAtMs: atMs }: SinkArrival): void {
  if (deliveryIds.has(deliveryId) || formerDeliveryIds.has(deliveryId)) repeatedCount++;
  deliveryIds.add(deliveryId);
  const sequence = sequenceOf(body);
  if (sequence === undefined || sequence >= arrivedAtMs.length) return;
  arrivalCount++;
  lastArrivedAtMs = atMs;
  if (arrivedAtMs[sequence] === 0) {
    arrivedAtMs[sequence] = atMs;
    distinctCount++;
  }
  if (waiter && distinctCount >= waiter.count) finish(true);
}

function finish(isMet: boolean): void {
  const { resolve } = waiter ?? {};
  waiter = undefined;
  resolve?.(isMet);
}

const calls = {
  address: () => sink.url,
  /** Returns the address of each, on a port of its own: for destinations that share no host. */
  openHosts: async ({ count }: { count: number }) => {
    const opened = await Promise.all(Array.from({ length: count }, openSink));
    return opened.map(({ url }) => url);
  },
  setHealed: (healed: { isHealed: boolean }) => {
    isHealed = healed.isHealed;
  },
  expect: ({ count }: { count: number }) => {
    arrivedAtMs = new Float64Array(count);
    attemptedAtMs = new Float64Array(count);
    arrivalCount = 0;
    distinctCount = 0;
    lastArrivedAtMs = 0;
    repeatedCount = 0;
    [deliveryIds, formerDeliveryIds] = [new Set(), deliveryIds];
  },
  waitFor: ({ count, timeoutMs }: { count: number; timeoutMs: number }) =>
    new Promise<boolean>((resolve) => {
      if (distinctCount >= count) return resolve(true);
      const timer = setTimeout(() => finish(false), timeoutMs);
      waiter = {
        count,
        resolve: (isMet) => {
          clearTimeout(timer);
          resolve(isMet);
        },
      };
    }),
  arrivals: () => ({ arrivedAtMs, attemptedAtMs, arrivalCount, distinctCount, lastArrivedAtMs, repeatedCount }),
};

export type SinkCalls = typeof calls;
serveRemote(calls);
