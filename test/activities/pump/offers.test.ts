import test from 'ava';
import { createOffers, type Offers, REMEMBER_MS } from '../../../activities/pump/offers.ts';
import type { ClaimedDestination } from '../../../db/ledger/claim.ts';
import { type DeliveryOffer, MAX_BEFORE } from '../../../db/ledger/offers/delivery-offer.ts';
import { pluck } from '../../harness/pluck.ts';

const ACCEPTED_AT_MS = 1_700_000_000_000;
const VERSION = 3;

const destination: ClaimedDestination = {
  shard: 1,
  version: VERSION,
  channelId: 'ch_00000001',
  workspaceId: 'ws_00000001',
  ordering: 'conversation',
  url: 'https://receiver.example.com/hook',
  sealedSecrets: ['sealed'],
  sendsTraceParent: true,
  options: null,
  sealedCredentials: null,
  channelType: 'chatapp',
  resourceId: 'res-1',
  recoveredForMs: null,
};

const offer = (others: Partial<DeliveryOffer> = {}): DeliveryOffer => ({
  id: 10,
  eventId: 20,
  destinationId: 5,
  shard: 1,
  destinationVersion: VERSION,
  before: [],
  eventType: 'chatapp.message.received',
  eventFlags: null,
  conversationKey: 7,
  traceParent: null,
  acceptedAtMs: ACCEPTED_AT_MS,
  body: Buffer.from('{}'),
  bodyKeyId: null,
  ...others,
});

/** Of a pump that has claimed the destination, and has its own clocks. */
function offersOf(claimed: Partial<ClaimedDestination> = {}) {
  const times = { monotonicMs: 0, clockMs: ACCEPTED_AT_MS };
  const offers = createOffers({ now: () => times.monotonicMs, clock: () => times.clockMs });
  claimOf(offers, claimed);
  return { offers, times };
}

function claimOf(offers: Offers, others: Partial<ClaimedDestination> = {}, ids: readonly number[] = []): void {
  offers.claimBegins();
  offers.claimed(claimed(others, ids));
}

function claimed(others: Partial<ClaimedDestination>, ids: readonly number[]): Parameters<Offers['claimed']>[0] {
  return {
    deliveries: ids.map((id) => ({ id }) as never),
    destinations: new Map([[5, { ...destination, ...others }]]),
    fullDestinationIds: new Set(),
    isCut: false,
    heldDestinationIds: [],
  };
}

interface Window {
  readonly heldIds?: readonly number[];
  readonly room?: number;
}

function taken(offers: Offers, offered: readonly DeliveryOffer[], { heldIds = [], room = 100 }: Window = {}): number[] {
  return pluck(
    offers.take(offered, { mayTake: () => true, isHeld: (id) => heldIds.includes(id), roomOf: () => room }),
    'id',
  );
}

test('an offer is taken as a claim would return the delivery', (t) => {
  const { offers } = offersOf();
  const { channelType, resourceId, version, ...common } = destination;
  const sealed = { body: Buffer.from('sealed'), bodyKeyId: 'k1', eventFlags: 'echo', traceParent: '00-1-2-01' };
  t.deepEqual(offers.take([offer(sealed)], { mayTake: () => true, isHeld: () => false, roomOf: () => 1 }), [
    {
      ...common,
      id: 10,
      eventId: 20,
      eventType: 'chatapp.message.received',
      eventFlags: 'echo',
      destinationId: 5,
      conversationKey: 7,
      attemptCount: 0,
      acceptedAtMs: ACCEPTED_AT_MS,
      failedInSchedule: 0,
      traceParent: '00-1-2-01',
      body: { sealed: sealed.body, keyId: 'k1', context: 'events.body/chatapp/chatapp.message.received/7/res-1' },
    },
  ]);
});

test('a claim must read an unknown or changed destination', (t) => {
  const { offers } = offersOf();
  t.deepEqual(taken(offers, [offer({ destinationId: 6 })]), []);
  t.deepEqual(taken(offers, [offer({ destinationVersion: VERSION + 1, conversationKey: 8 })]), []);
  t.deepEqual(taken(offers, [offer({ destinationVersion: null, conversationKey: 9 })]), []);
  t.deepEqual(taken(offers, [offer()]), [10]);
});

test('offers from before a change are not taken after it', (t) => {
  for (const change of [(offers: Offers) => offers.drop(5), (offers: Offers) => offers.dropAll()]) {
    const { offers, times } = offersOf();
    change(offers);
    claimOf(offers);
    t.deepEqual(taken(offers, [offer()]), []);
    // What is remembered for ten seconds may be for twice as long.
    for (let count = 0; count < 3; count++) {
      times.monotonicMs += REMEMBER_MS + 1;
      offers.drop(6);
    }
    claimOf(offers);
    t.deepEqual(taken(offers, [offer({ conversationKey: 8 })]), [10]);
  }
});

test('a claim returns no delivery that was taken since it began', (t) => {
  const { offers } = offersOf();
  offers.claimBegins();
  t.deepEqual(taken(offers, [offer()]), [10]);
  t.deepEqual(pluck(offers.claimed(claimed({}, [10, 11])).deliveries, 'id'), [11]);
  offers.claimBegins();
  t.deepEqual(pluck(offers.claimed(claimed({}, [10, 11])).deliveries, 'id'), [10, 11]);
});

test('a claim must read a destination again after five seconds', (t) => {
  const { offers, times } = offersOf();
  times.monotonicMs = 5_000;
  t.deepEqual(taken(offers, [offer()]), [10]);
  times.monotonicMs = 5_001;
  t.deepEqual(taken(offers, [offer()]), []);
});

test('a destination that recovers or collects its events is claimed', (t) => {
  t.deepEqual(taken(offersOf({ recoveredForMs: 10 }).offers, [offer()]), []);
  const debounce = { quietSeconds: 1, maxSeconds: 5 };
  t.deepEqual(taken(offersOf({ options: { debounce } as never }).offers, [offer()]), []);
});

test('an offer that took long to arrive is claimed', (t) => {
  const { offers, times } = offersOf();
  times.clockMs = ACCEPTED_AT_MS + 2_000;
  t.deepEqual(taken(offers, [offer()]), [10]);
  times.clockMs = ACCEPTED_AT_MS + 2_001;
  t.deepEqual(taken(offers, [offer()]), []);
});

test('a delivery that was claimed before its offer arrives is not taken', (t) => {
  const { offers, times } = offersOf();
  claimOf(offers, {}, [10]);
  times.monotonicMs = REMEMBER_MS;
  claimOf(offers, {}, [11]);
  t.deepEqual(taken(offers, [offer({ conversationKey: 9 }), offer({ id: 11, conversationKey: 8 })]), []);
  for (const id of [12, 13]) {
    times.monotonicMs += REMEMBER_MS + 1;
    claimOf(offers, {}, [id]);
  }
  t.deepEqual(taken(offers, [offer()]), [10]);
});

test('a delivery waits for those before it in its conversation', (t) => {
  const { offers } = offersOf();
  const second = (conversationKey: number) => offer({ conversationKey, before: [8, 9] });
  t.deepEqual(taken(offers, [offer({ before: [8, 9] })]), []);
  t.deepEqual(taken(offers, [second(2)], { heldIds: [9] }), []);
  t.deepEqual(taken(offers, [second(3)], { heldIds: [8, 9] }), [10]);
  offers.delivered([8]);
  t.deepEqual(taken(offers, [second(4)], { heldIds: [9] }), [10]);
});

test('a delivery waits behind one that the pump may not take', (t) => {
  const { offers } = offersOf();
  t.deepEqual(offers.take([offer()], { mayTake: () => false, isHeld: () => false, roomOf: () => 1 }), []);
  t.deepEqual(taken(offers, [offer({ id: 11 })]), []);
  t.deepEqual(taken(offers, [offer({ id: 12 })], { heldIds: [10, 11] }), [12]);
});

test('a delivery waits for those that its acceptance could not see', (t) => {
  const { offers } = offersOf();
  t.deepEqual(taken(offers, [offer({ id: 8, before: [7] })]), []);
  t.deepEqual(taken(offers, [offer()]), [], 'the first was declined');
  t.deepEqual(taken(offers, [offer({ id: 12 })], { heldIds: [8, 10] }), [12]);
  offers.undelivered([{ id: 20, destinationId: 5, conversationKey: 9 }]);
  t.deepEqual(taken(offers, [offer({ id: 21, conversationKey: 9 })]), [], 'the first has failed');
  offers.delivered([20, 21]);
  t.deepEqual(taken(offers, [offer({ id: 22, conversationKey: 9 })]), [22]);
});

test('a delivery behind many is claimed, because there may be more', (t) => {
  const { offers } = offersOf();
  const before = Array.from({ length: MAX_BEFORE }, (_, index) => index);
  t.deepEqual(taken(offers, [offer({ before })], { heldIds: before }), []);
  t.deepEqual(taken(offers, [offer({ before: before.slice(1), conversationKey: 8 })], { heldIds: before }), [10]);
});

test('a delivery is left with those before it in the same offer', (t) => {
  const { offers } = offersOf();
  const others = [offer({ id: 11 }), offer({ id: 12, conversationKey: 8 })];
  t.deepEqual(taken(offers, [offer({ before: [9] }), ...others]), [12]);
});

test('a destination is offered no more than it has room for', (t) => {
  const { offers } = offersOf();
  const three = [1, 2, 3].map((id) => offer({ id, conversationKey: id }));
  t.deepEqual(taken(offers, three, { room: 2 }), [1, 2]);
});
