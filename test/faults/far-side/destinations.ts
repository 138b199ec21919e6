import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { insertDestination } from '../../../db/ledger/destinations/destinations.ts';
import { commitSubscription } from '../../../db/subscriptions/subscriptions.ts';
import type { StopList } from '../../../dev/processes/stop-list.ts';
import { testAudit } from '../../harness/audit.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, type Tenant, type TestChannel } from '../../harness/tenants.ts';
import { ArrivalRecord, messageIdOf } from './arrival-record.ts';
import { alwaysBad, type BadTimes, badTimes, badUntilHealed } from './bad-times.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { type Misbehaviour, misbehaviours } from './misbehaviours.ts';
import { randomFrom } from '../../harness/random.ts';
import { startReceiver, startTrap, type Trap } from './receiver.ts';

export interface Destination {
  readonly id: number;
  /** Else it is a subscription beside one. */
  readonly isWebhook: boolean;
  readonly resourceId: string;
  /** None: it is healthy. */
  readonly misbehaviour: Misbehaviour | undefined;
  readonly record: ArrivalRecord;
}

/** All that the service delivers to. */
export interface FarSide {
  readonly destinations: readonly Destination[];
  readonly dns: DnsServer;
  /** Where the name leads when it has flipped, and where redirects lead. */
  readonly traps: { readonly privateAddress: Trap; readonly redirect: Trap };
  /** Bytes that were written of each answer of a gigabyte before the worker hung up. */
  readonly pouredBytes: readonly number[];
  /** Every receiver but the one that never recovers behaves from now on. */
  heal(): void;
}

export interface FarSideOptions {
  readonly db: Knex;
  readonly tenant: Tenant;
  readonly seed: number;
  /** By a message's id. */
  readonly sentAtMs: (id: string) => number | undefined;
}

const HEALTHY_CHANNELS = 2;
/** Where everything here listens, and the one private address that the service is allowed to call. */
export const ALLOWED_ADDRESS = '127.0.0.1';
/** As private as any other, and bound by a trap. */
const PRIVATE_ADDRESS = '127.0.0.66';
const FLIPPING_NAME = 'hooks.example.com';

/** Connects a channel for each misbehaviour, with a healthy subscription beside the webhook, and some with healthy ones alone. */
export async function startFarSide(options: FarSideOptions, stops: StopList): Promise<FarSide> {
  const redirect = await startTrap({ host: ALLOWED_ADDRESS }, stops);
  const pouredBytes: number[] = [];
  const times = new Map(misbehaviours.map((how, index) => [how, timesOf(how, options.seed + index + 1)]));
  stops.add({ name: 'bad times', stop: async () => times.forEach((one) => one.heal()) });
  const receivers = { options, times, stops, trapUrl: `http://${ALLOWED_ADDRESS}:${redirect.port}/`, pouredBytes };
  const destinations: Destination[] = [];
  let flippingPort = 0;
  for (const how of [...misbehaviours, ...Array<undefined>(HEALTHY_CHANNELS).fill(undefined)]) {
    const resourceId = `1${randomBytes(6).readUIntBE(0, 6)}`;
    const channel = await aChannel(options.db, options.tenant.workspace, { resourceId });
    const { port, record } = await receiver(how, receivers);
    if (how === 'flip') flippingPort = port;
    const url = `http://${how === 'flip' ? FLIPPING_NAME : ALLOWED_ADDRESS}:${port}/${how ?? 'healthy'}`;
    const id = await aWebhook(options.db, channel, { url });
    destinations.push({ id, isWebhook: true, resourceId, misbehaviour: how, record });
    if (how) destinations.push({ resourceId, ...(await healthySubscription(channel, receivers)) });
  }
  const privateAddress = await startTrap({ host: PRIVATE_ADDRESS, port: flippingPort }, stops);
  const dns = await startDnsServer(flippingAddress(times.get('flip')!), stops);
  const heal = (): void => times.forEach((one, how) => how === 'refuse' || one.heal());
  return { destinations, dns, traps: { privateAddress, redirect }, pouredBytes, heal };
}

interface Receivers {
  readonly options: FarSideOptions;
  readonly times: ReadonlyMap<Misbehaviour, BadTimes>;
  readonly stops: StopList;
  readonly trapUrl: string;
  readonly pouredBytes: number[];
}

async function receiver(misbehaviour: Misbehaviour | undefined, { options, times, stops, ...needs }: Receivers) {
  const record = new ArrivalRecord();
  const port = await startReceiver(
    {
      misbehaviour,
      isBad: () => misbehaviour !== undefined && times.get(misbehaviour)!.isBad(),
      trapUrl: needs.trapUrl,
      onPoured: (byteCount) => void needs.pouredBytes.push(byteCount),
      onTaken(body) {
        const id = messageIdOf(body);
        if (id !== undefined) record.add(id, options.sentAtMs(id) ?? 0);
      },
    },
    stops,
  );
  return { port, record };
}

async function healthySubscription(channel: TestChannel, receivers: Receivers) {
  const { db } = receivers.options;
  const { port, record } = await receiver(undefined, receivers);
  const id = await insertDestination(db, {
    channelId: channel.id,
    type: 'subscription',
    url: `http://${ALLOWED_ADDRESS}:${port}/beside`,
    eventTypes: ['chatapp.message.received'],
    label: null,
    enabled: true,
    staged: true,
  });
  await commitSubscription(db, { channelId: channel.id, destinationId: id, max: 1, audit: testAudit });
  return { id, isWebhook: false, misbehaviour: undefined, record };
}

/** A name is asked for only every few seconds: bad times of a few seconds could pass without a question. */
function timesOf(how: Misbehaviour, seed: number): BadTimes {
  if (how === 'refuse') return alwaysBad;
  return how === 'flip' ? badUntilHealed() : badTimes(randomFrom(seed));
}

/** Until it is healed, every other question is answered with the private address: a check and a connect differ. */
function flippingAddress({ isBad }: BadTimes): () => string {
  let isFlipped = false;
  return () => {
    isFlipped = isBad() && !isFlipped;
    return isFlipped ? PRIVATE_ADDRESS : ALLOWED_ADDRESS;
  };
}
