import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { insertDestination } from '../../../db/ledger/destinations/destinations.ts';
import { commitSubscription } from '../../../db/subscriptions/subscriptions.ts';
import type { StopList } from '../../../dev/processes/stop-list.ts';
import { testAudit } from '../../harness/audit.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, type Tenant, type TestChannel } from '../../harness/tenants.ts';
import { ArrivalRecord, messageIdOf } from '../../harness/system/arrival-record.ts';
import {
  permanentMisbehaviour,
  type MisbehaviourSchedule,
  alternatingMisbehaviour,
  misbehaviourUntilHealed,
} from './misbehaviour-schedule.ts';
import { type AnswerOf, type DnsServer, startDnsServer } from './dns-server.ts';
import { type Misbehaviour, misbehaviours } from './misbehaviours.ts';
import { randomFrom } from '../../harness/random.ts';
import { startReceiver, startTrap, type Trap } from './receiver.ts';

export interface Destination {
  readonly id: number;
  /** False for a subscription beside a webhook. */
  readonly isWebhook: boolean;
  readonly resourceId: string;
  readonly misbehaviour: Misbehaviour | undefined;
  readonly record: ArrivalRecord;
}

export interface FaultyReceivers {
  readonly destinations: readonly Destination[];
  readonly dns: DnsServer;
  /** The private address that a flipping name resolves to, and the target of redirects. */
  readonly traps: { readonly privateAddress: Trap; readonly redirect: Trap };
  /** Bytes written of each gigabyte response before the worker closed the connection. */
  readonly pouredBytes: readonly number[];
  /** Ends the misbehaviour of every receiver except the one that never recovers. */
  heal(): void;
}

export interface ReceiversOptions {
  readonly db: Knex;
  readonly tenant: Tenant;
  readonly seed: number;
  readonly sentAtMs: (id: string) => number | undefined;
}

const HEALTHY_CHANNELS = 2;
/** The only private address that the service may call. */
export const ALLOWED_ADDRESS = '127.0.0.1';
/** A trap listens on this forbidden private address. */
const PRIVATE_ADDRESS = '127.0.0.66';
const FLIPPING_NAME = 'hooks.example.com';

/** Connects a channel per misbehaviour, with a healthy subscription beside its webhook, and healthy channels. */
export async function startReceivers(options: ReceiversOptions, stops: StopList): Promise<FaultyReceivers> {
  const redirect = await startTrap({ host: ALLOWED_ADDRESS }, stops);
  const pouredBytes: number[] = [];
  const schedules = new Map(misbehaviours.map((how, index) => [how, scheduleOf(how, options.seed + index + 1)]));
  stops.add({ name: 'misbehaviour schedules', stop: async () => schedules.forEach((one) => one.heal()) });
  const receivers = { options, schedules, stops, trapUrl: `http://${ALLOWED_ADDRESS}:${redirect.port}/`, pouredBytes };
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
  const dns = await startDnsServer(flippingAddress(schedules.get('flip')!), stops);
  const heal = (): void => schedules.forEach((one, how) => how === 'refuse' || one.heal());
  return { destinations, dns, traps: { privateAddress, redirect }, pouredBytes, heal };
}

interface Receivers {
  readonly options: ReceiversOptions;
  readonly schedules: ReadonlyMap<Misbehaviour, MisbehaviourSchedule>;
  readonly stops: StopList;
  readonly trapUrl: string;
  readonly pouredBytes: number[];
}

async function receiver(misbehaviour: Misbehaviour | undefined, { options, schedules, stops, ...needs }: Receivers) {
  const record = new ArrivalRecord();
  const port = await startReceiver(
    {
      misbehaviour,
      isMisbehaving: () => misbehaviour !== undefined && schedules.get(misbehaviour)!.isActive(),
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

/** Names are resolved only every few seconds, so short bad periods could pass without a query. */
function scheduleOf(how: Misbehaviour, seed: number): MisbehaviourSchedule {
  if (how === 'refuse') return permanentMisbehaviour;
  return how === 'flip' ? misbehaviourUntilHealed() : alternatingMisbehaviour(randomFrom(seed));
}

/** Returns the private address for every other query until healed, so that check and connect would differ. */
function flippingAddress({ isActive }: MisbehaviourSchedule): AnswerOf {
  let isFlipped = false;
  return (_name, family) => {
    if (family === 6) return 'no_address';
    isFlipped = isActive() && !isFlipped;
    return { address: isFlipped ? PRIVATE_ADDRESS : ALLOWED_ADDRESS };
  };
}
