import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { createOfferDeliveries, type OfferDeliveriesOptions } from '../../api/ingest/offer-deliveries.ts';
import { createSigningRing } from '../../db/core/signing-keys.ts';
import { type DeliveryOffer, OFFERS_PROTOCOL } from '../../db/ledger/offers/delivery-offer.ts';
import { joinFleet, leaveFleet } from '../../db/ledger/shards/fleet.ts';
import { encodeFrame } from '../../process/framed-socket.ts';
import { pskServerOptions } from '../../process/psk-tls.ts';
import { receiveOffers, type OfferReceiverOptions } from '../../worker/receive-offers.ts';
import { selfSigned } from '../egress/self-signed.ts';
import { extendLeases } from '../harness/deliveries/extend-leases.ts';
import { hotLedger } from '../harness/deliveries/hot-ledger.ts';
import { eventually } from '../harness/eventually.ts';
import { rememberingLog } from '../harness/quiet-log.ts';

const aKey = (id: string) => ({ id, bytes: randomBytes(32) });
const [firstKey, secondKey] = [aKey('k1'), aKey('k2')];

const offer = (id: number, others: Partial<DeliveryOffer> = {}): DeliveryOffer => ({
  id,
  eventId: id,
  destinationId: 5,
  shard: 1,
  destinationVersion: 1.5,
  before: [1, 2],
  eventType: 'chatapp.message.received',
  eventFlags: null,
  conversationKey: 7,
  traceParent: null,
  acceptedAtMs: 1_700_000_000_000,
  body: Buffer.from(`body ${id}`),
  bodyKeyId: null,
  ...others,
});

async function addressOf(t: ExecutionContext, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A worker that serves shards without a pump. */
async function aWorker(t: ExecutionContext, others: Partial<OfferReceiverOptions> = {}) {
  const offered: DeliveryOffer[] = [];
  const passedOn: number[] = [];
  const listeners: (() => void)[] = [];
  let shards = [1, 2];
  let answers = 0;
  const log = rememberingLog();
  const pump = {
    offer(offers: readonly DeliveryOffer[]) {
      offered.push(...offers);
      return offers.flatMap(({ shard }) => (shards.includes(shard) ? [] : shard));
    },
    shards() {
      answers++;
      return shards;
    },
    onShards: (listener: () => void) => void listeners.push(listener),
  };
  const receiver = await receiveOffers({
    host: '127.0.0.1',
    port: 0,
    signingRing: createSigningRing([firstKey]),
    pump,
    passOn: (some) => passedOn.push(...some),
    log,
    ...others,
  });
  t.teardown(() => receiver.close());
  const serve = (next: number[]): void => {
    shards = next;
    listeners.forEach((listener) => listener());
  };
  return { ...receiver, offered, passedOn, serve, answerCount: () => answers, log };
}

async function anApi(t: ExecutionContext, others: Partial<OfferDeliveriesOptions> = {}) {
  const { pool } = await hotLedger(t, { prepare: extendLeases });
  const times = { nowMs: 0 };
  const signingRing = createSigningRing([firstKey]);
  const api = createOfferDeliveries({ pool, signingRing, log: rememberingLog(), now: () => times.nowMs, ...others });
  t.teardown(() => api.close());
  const join = (holder: string, offersAddress: string) => joinFleet(pool, { holder, roles: ['pump'], offersAddress });
  /** Reads which workers there are. */
  const refresh = (): void => {
    times.nowMs += 1_001;
    api.offer([]);
  };
  const untilConnected = async (shard = 1): Promise<void> => {
    refresh();
    await eventually(() => api.offer([offer(0, { shard })]).length === 0);
  };
  return { api, pool, times, join, refresh, untilConnected };
}

test('offers arrive at the worker of their shard as they were made', async (t) => {
  const { api, join, untilConnected } = await anApi(t);
  const [one, other] = [await aWorker(t), await aWorker(t)];
  other.serve([3]);
  await join('one', one.address);
  await join('other', other.address);
  await untilConnected();
  await untilConnected(3);
  const body = Buffer.from('shared');
  const sealed = { body, bodyKeyId: 'k1', eventFlags: 'echo', traceParent: '00-1-2-01', destinationVersion: null };
  const offers = [offer(1, sealed), offer(2, { ...sealed, before: [] }), offer(3, { body: Buffer.alloc(0) })];
  t.deepEqual(api.offer([...offers, offer(4, { shard: 3 }), offer(5, { shard: 9 })]), [9]);
  const withoutFirst = (some: readonly DeliveryOffer[]) => some.filter(({ id }) => id > 0);
  await eventually(() => withoutFirst(other.offered).length === 1 && withoutFirst(one.offered).length === 3);
  t.deepEqual(withoutFirst(one.offered), offers);
  t.deepEqual(withoutFirst(other.offered), [offer(4, { shard: 3 })]);
});

test('a worker says at once which shards it serves', async (t) => {
  const { api, join, untilConnected } = await anApi(t);
  const worker = await aWorker(t);
  await join('worker', worker.address);
  await untilConnected();
  worker.serve([2, 8]);
  await eventually(() => api.offer([offer(1, { shard: 8 })]).length === 0);
  t.deepEqual(api.offer([offer(2)]), [1]);
});

test('of two workers of a shard, the later one gets its offers', async (t) => {
  const { api, join, untilConnected } = await anApi(t);
  const [one, other] = [await aWorker(t), await aWorker(t)];
  await join('one', one.address);
  await untilConnected();
  other.serve([1, 3]);
  await join('other', other.address);
  await untilConnected(3);
  t.deepEqual(api.offer([offer(1)]), []);
  await eventually(() => other.offered.some(({ id }) => id === 1));
  one.serve([1, 4]);
  await eventually(() => api.offer([offer(2, { shard: 4 })]).length === 0);
  t.deepEqual(api.offer([offer(3)]), []);
  await eventually(() => one.offered.some(({ id }) => id === 3));
  one.close();
  await eventually(() => api.offer([offer(4, { shard: 4 })]).length === 1);
  t.deepEqual(api.offer([offer(5)]), []);
  await eventually(() => other.offered.some(({ id }) => id === 5));
});

test('offers of a shard that the worker gave up are passed on', async (t) => {
  const { api, join, untilConnected } = await anApi(t);
  const worker = await aWorker(t, {
    pump: { shards: () => [1], onShards: () => undefined, offer: (offers) => offers.map(({ shard }) => shard) },
  });
  await join('worker', worker.address);
  await untilConnected();
  api.offer([offer(1)]);
  await eventually(() => worker.passedOn.length > 0);
  t.deepEqual(new Set(worker.passedOn), new Set([1]));
});

test('nothing is handed over to a worker that is gone', async (t) => {
  const { api, pool, join, refresh, untilConnected } = await anApi(t);
  const worker = await aWorker(t);
  await join('worker', worker.address);
  await untilConnected();
  await leaveFleet(pool, 'worker');
  t.deepEqual(api.offer([offer(1)]), []);
  refresh();
  await eventually(() => api.offer([offer(2)]).length === 1);
});

test('an end with another key is refused', async (t) => {
  const signingRing = createSigningRing([{ ...secondKey, id: 'k1' }]);
  const { api, join, refresh } = await anApi(t, { signingRing });
  const worker = await aWorker(t);
  await join('worker', worker.address);
  refresh();
  await eventually(() => worker.log.lines.some(({ event }) => event === 'offers.refused'));
  t.deepEqual(api.offer([offer(1)]), [1]);
  t.deepEqual(worker.offered, []);
});

test('a key that is older for the worker is good', async (t) => {
  const { join, untilConnected } = await anApi(t, { signingRing: createSigningRing([secondKey, firstKey]) });
  const worker = await aWorker(t, { signingRing: createSigningRing([firstKey, secondKey]) });
  await join('worker', worker.address);
  await t.notThrowsAsync(untilConnected());
});

test('a worker that does not answer gets no further offers', async (t) => {
  const ring = createSigningRing([firstKey]);
  const find = (keyId: string) => ring.find('delivery-offers', keyId);
  const silent = createTlsServer(pskServerOptions(OFFERS_PROTOCOL, find), (socket) => {
    socket.on('error', () => undefined);
    socket.write(encodeFrame([1]));
  });
  const { api, times, join, untilConnected } = await anApi(t);
  await join('silent', await addressOf(t, silent));
  await untilConnected();
  times.nowMs += 3_000;
  t.deepEqual(api.offer([offer(1)]), []);
  times.nowMs += 1;
  t.deepEqual(api.offer([offer(2)]), [1]);
});

test('a worker answers each offer', async (t) => {
  const { api, join, untilConnected } = await anApi(t);
  const worker = await aWorker(t);
  await join('worker', worker.address);
  await untilConnected();
  for (const id of [1, 2]) {
    const before = worker.answerCount();
    api.offer([offer(id)]);
    await eventually(() => worker.answerCount() > before);
  }
  t.true(worker.offered.some(({ id }) => id === 2));
});

test('a server with a certificate instead of the key gets no offers', async (t) => {
  const { cert, key } = selfSigned;
  const server = createTlsServer({ cert, key }, (socket) => socket.write(encodeFrame([1])));
  const { api, join, refresh } = await anApi(t);
  await join('other', await addressOf(t, server));
  const refused = once(server, 'tlsClientError');
  refresh();
  await refused;
  t.deepEqual(api.offer([offer(1)]), [1]);
});

test('an address without an answer costs nothing but the connection', async (t) => {
  const silent = createServer();
  const { api, join, refresh } = await anApi(t);
  await join('silent', await addressOf(t, silent));
  const connected = once(silent, 'connection');
  refresh();
  await connected;
  t.deepEqual(api.offer([offer(1)]), [1]);
});

test('a stranger learns nothing from the port', async (t) => {
  const worker = await aWorker(t);
  const { hostname, port } = new URL(`tcp://${worker.address}`);
  const socket = connect(Number(port), hostname);
  t.teardown(() => socket.destroy());
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await once(socket, 'close');
  t.true(Buffer.concat(received).length < 16, 'an alert of TLS at most');
  t.deepEqual(worker.offered, []);
});
