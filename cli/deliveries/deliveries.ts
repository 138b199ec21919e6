import type { Command } from 'commander';
import { deliveryStatuses, type DeliveryStatus } from '../../contract/deliveries/status.ts';
import { eventTypes, type EventType } from '../../contract/event-types.ts';
import { group, leaf, listOption, span } from '../commands/arguments.ts';
import { deliveryColumns, destinationText, showDelivery } from './delivery-view.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { safeBlock } from '../terminal/safe-text.ts';
import type { Act, Run } from '../commands/run.ts';
import { addFollow } from './follow.ts';

export function addDeliveries(program: Command, act: Act): void {
  const deliveries = group(program, 'deliveries', 'What was sent where, and what came of it');
  addList(deliveries, act);
  leaf(deliveries, 'show <delivery>', {
    summary: 'Shows a delivery with its payload and attempts',
    examples: ['channels deliveries show wd_4fT9aPq2', 'channels deliveries show wd_4fT9aPq2 --payload > event.json'],
  })
    .option('--payload', 'only the payload, byte for byte')
    .action(act(show));
  addFollow(deliveries, act);
  leaf(deliveries, 'retry <delivery>', {
    summary: 'Sends a waiting delivery now, or begins a new schedule for one that has ended',
    examples: ['channels deliveries retry wd_4fT9aPq2'],
  }).action(act(retry));
  leaf(deliveries, 'cancel <delivery>', {
    summary: 'Cancels a delivery that waits',
    examples: ['channels deliveries cancel wd_4fT9aPq2'],
  }).action(act(cancel));
  leaf(deliveries, 'replay <delivery>', {
    summary: 'Sends the event again as a new delivery; for many at once see `channels replays create`',
    examples: [
      'channels deliveries replay wd_4fT9aPq2',
      'channels deliveries replay wd_4fT9aPq2 --destination sub_8kLm3Qz1',
    ],
  })
    .option('--destination <where>', "webhook, a subscription's or a listener's id; the delivery's own unless given")
    .option('--idempotency-key <key>', 'makes a repeat harmless')
    .action(act(replay));
}

function addList(deliveries: Command, act: Act): void {
  const command = leaf(deliveries, 'list', {
    summary: 'Lists deliveries, newest first',
    examples: [
      'channels deliveries list --channel ch_4fT9aPq2 --status exhausted --since 24h',
      'channels deliveries list --status retrying,exhausted   # what is in trouble, in the whole workspace',
      "channels deliveries list --status exhausted --all --json | jq -r '.deliveries[].deliveryId'",
    ],
  })
    .option('--channel <id>', 'of this channel; of the whole workspace unless given')
    .addOption(listOption('--status <list>', 'in one of these states', deliveryStatuses))
    .addOption(listOption('--event-type <list>', 'of one of these types', eventTypes))
    .option('--since <time>', 'made at or after: 30m, 2h, 7d ago, or an instant')
    .option('--until <time>', 'made before')
    .option('--destination <where>', "webhook, or a subscription's or listener's id")
    .option('--sender <id>', 'from this sender, as the platform names them')
    .option('--message-id <id>', "with this id of the platform's");
  withPages(command).action(act(list));
}

interface ListOptions extends PageOptions {
  readonly channel?: string;
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly EventType[];
  readonly since?: string;
  readonly until?: string;
  readonly destination?: string;
  readonly sender?: string;
  readonly messageId?: string;
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const { channel, status, eventType, destination, sender, messageId } = options;
  const filters = given({
    ...{ status: status?.join(','), eventType: eventType?.join(',') },
    ...{ destination, sender, platformMessageId: messageId },
    scope: channel && `channel:${channel}`,
    ...span(options, run.world),
  });
  const client = await run.inWorkspace();
  await showList(run, options, {
    name: 'deliveries',
    columns: deliveryColumns,
    empty: 'There are no such deliveries.',
    read: (query) => client.get('/deliveries', { params: { query: { ...filters, ...query } } }),
  });
}

function at(wd: string) {
  return { params: { path: { wd } } };
}

async function show(
  { inWorkspace, output, world }: Run,
  wd: string,
  { payload }: { payload?: boolean },
): Promise<void> {
  const delivery = await (await inWorkspace()).get('/deliveries/{wd}', at(wd));
  if (!payload) return showDelivery(output, delivery);
  output.raw(world.stdout.isTTY ? `${safeBlock(delivery.payload)}\n` : delivery.payload);
}

async function retry({ inWorkspace, output }: Run, wd: string): Promise<void> {
  const answer = await (await inWorkspace()).post('/deliveries/{wd}/retry', at(wd));
  output.done(answer, `${wd} is ${answer.status}, and is sent now.`);
}

async function cancel({ inWorkspace, output }: Run, wd: string): Promise<void> {
  output.done(await (await inWorkspace()).post('/deliveries/{wd}/cancel', at(wd)), `${wd} is cancelled.`);
}

interface ReplayOptions {
  readonly destination?: string;
  readonly idempotencyKey?: string;
}

async function replay({ inWorkspace, output }: Run, wd: string, options: ReplayOptions): Promise<void> {
  const made = await (
    await inWorkspace()
  ).post('/deliveries/{wd}/replay', {
    params: { path: { wd }, header: given({ 'Idempotency-Key': options.idempotencyKey }) },
    body: given({ destination: options.destination }),
  });
  output.done(made, `${made.deliveryId} sends the event again to ${destinationText(made.destination) ?? 'nowhere'}.`);
}
