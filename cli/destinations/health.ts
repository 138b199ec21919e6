import { Argument, type Command } from 'commander';
import { destinationOrderings, type DestinationOrdering } from '../../contract/deliveries/status.ts';
import type { Schema } from '../../client/create-client.ts';
import { leaf, span, wholeNumber } from '../commands/arguments.ts';
import { given } from '../commands/given.ts';
import { type Shown, when } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

type Destinations = Schema<'ChannelDestinations'>;
type Destination = Destinations['destinations'][number];

export function addHealth(program: Command, act: Act): void {
  leaf(program, 'destinations <channel>', {
    summary: "Shows where the channel's events go, and how each destination is doing",
    examples: ['channels destinations ch_4fT9aPq2'],
  }).action(act(destinations));
  leaf(program, 'ordering <channel>', {
    summary: 'Sets whether events go to a destination in order within their conversation',
    examples: [
      'channels ordering ch_4fT9aPq2 none',
      'channels ordering ch_4fT9aPq2 conversation --destination sub_8mBnQ2xV',
    ],
  })
    .addArgument(new Argument('<ordering>', 'what waits for what').choices(destinationOrderings))
    .option('--destination <destination>', 'webhook, or the id of a subscription', 'webhook')
    .action(act(setOrdering));
  leaf(program, 'statistics <channel>', {
    summary: 'Counts the deliveries of each destination over time, with their latency',
    examples: ['channels statistics ch_4fT9aPq2 --since 24h --buckets 24'],
  })
    .option('--since <time>', 'beginning: 2h, 7d ago, or an instant; an hour unless given')
    .option('--until <time>', 'end; now unless given')
    .option('--buckets <n>', 'parts that the span is cut into', wholeNumber)
    .action(act(statistics));
}

type Named = Pick<Destination, 'type' | 'url' | 'label' | 'subscriptionId'>;

function nameOf({ type, url, label, subscriptionId }: Named): string {
  return [type === 'webhook' ? 'webhook' : (subscriptionId ?? type), label, url].filter(Boolean).join(' ');
}

function stateOf({ enabled, disabledReason, circuit, failingSince, isKept }: Destination): Shown {
  if (!enabled) return { text: `disabled (${disabledReason ?? 'by hand'})`, tone: 'bad' };
  if (circuit.state === 'open') return { text: `left alone (${circuit.reason})`, tone: 'bad' };
  if (failingSince !== null) return { text: `failing since ${when(failingSince)}`, tone: 'busy' };
  return { text: isKept ? 'old URL' : 'healthy', tone: isKept ? 'quiet' : 'good' };
}

async function destinations(run: Run, ch: string): Promise<void> {
  show(run, await (await run.client()).get('/channels/{ch}/destinations', { params: { path: { ch } } }));
}

type OrderingArguments = [ordering: DestinationOrdering, options: { readonly destination: string }];

async function setOrdering(run: Run, ch: string, ...[ordering, { destination }]: OrderingArguments): Promise<void> {
  const change = { params: { path: { ch } }, body: { destination, ordering } };
  show(run, await (await run.client()).patch('/channels/{ch}/destinations', change));
}

function show({ output }: Run, answer: Destinations): void {
  if (output.isJson) return output.json(answer);
  if (answer.destinations.length === 0) return output.note('Events go nowhere: see `channels webhook set`.');
  output.table(answer.destinations, [
    { title: 'DESTINATION', of: nameOf },
    { title: 'STATE', of: stateOf },
    { title: 'ORDER', of: ({ ordering }) => ordering },
    { title: 'WAITING', of: ({ waiting }) => waiting.pending + waiting.retrying },
    { title: 'OLDEST (UTC)', of: ({ oldestWaitingAt }) => when(oldestWaitingAt) },
    { title: 'LAST DELIVERED (UTC)', of: ({ lastDeliveredAt }) => when(lastDeliveredAt) },
    { title: 'LAST FAILURE (UTC)', of: ({ lastFailureAt }) => when(lastFailureAt) },
  ]);
}

interface StatisticsOptions {
  readonly since?: string;
  readonly until?: string;
  readonly buckets?: number;
}

async function statistics(run: Run, ch: string, options: StatisticsOptions): Promise<void> {
  const query = given({ ...span(options, run.world), buckets: options.buckets });
  const answer = await (await run.client()).get('/channels/{ch}/statistics', { params: { path: { ch }, query } });
  const { output } = run;
  if (output.isJson) return output.json(answer);
  const rows = answer.destinations.flatMap((destination) =>
    destination.buckets.map((bucket) => ({ ...bucket, name: nameOf(destination) })),
  );
  if (rows.length === 0) return output.note('There were no deliveries.');
  output.table(rows, [
    { title: 'FROM (UTC)', of: ({ at }) => when(at) },
    { title: 'DELIVERIES', of: ({ deliveries }) => deliveries },
    { title: 'DELIVERED', of: ({ delivered }) => delivered },
    { title: 'FAILED', of: ({ failed }) => failed },
    { title: 'WAITING', of: ({ waiting }) => waiting },
    { title: 'P50 MS', of: ({ latencyMs }) => latencyMs && Math.round(latencyMs.p50) },
    { title: 'P95 MS', of: ({ latencyMs }) => latencyMs && Math.round(latencyMs.p95) },
    { title: 'DESTINATION', of: ({ name }) => name },
  ]);
  if (!answer.isComplete) output.note('There were more than are counted at once: these are the youngest.');
}
