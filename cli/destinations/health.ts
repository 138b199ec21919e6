import { Argument, type Command } from 'commander';
import { destinationOrderings, type DestinationOrdering } from '../../contract/deliveries/status.ts';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, parseTimeRange, parseWholeNumber } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type CellValue, formatTime, timeCell } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

type Destinations = Schema<'ChannelDestinations'>;
type Destination = Destinations['destinations'][number];

export function addHealth(program: Command, act: Act): void {
  addCommand(program, 'destinations <channel>', {
    summary: 'Show the destinations of a channel and their health',
    examples: ['channels destinations ch_4fT9aPq2'],
  }).action(act(destinations));
  addCommand(program, 'ordering <channel>', {
    summary: 'Set the delivery order of a destination',
    examples: [
      'channels ordering ch_4fT9aPq2 none',
      'channels ordering ch_4fT9aPq2 conversation --destination sub_8mBnQ2xV',
    ],
  })
    .addArgument(new Argument('<ordering>', 'order within a conversation, or none').choices(destinationOrderings))
    .option('--destination <destination>', '`webhook`, or the ID of a subscription', 'webhook')
    .action(act(setOrdering));
  addCommand(program, 'trace-header <channel>', {
    summary: 'Set whether a destination receives the header traceparent',
    examples: [
      'channels trace-header ch_4fT9aPq2 off',
      'channels trace-header ch_4fT9aPq2 on --destination sub_8mBnQ2xV',
    ],
  })
    .addArgument(new Argument('<state>', 'on, or off').choices(['on', 'off']))
    .option('--destination <destination>', '`webhook`, or the ID of a subscription', 'webhook')
    .action(act(setTraceHeader));
  addCommand(program, 'statistics <channel>', {
    summary: 'Show delivery counts and latency by destination over time',
    examples: ['channels statistics ch_4fT9aPq2 --since 24h --buckets 24'],
  })
    .option('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp (default: 1h)')
    .option('--until <time>', 'end time (default: now)')
    .option('--buckets <n>', 'number of time buckets', parseWholeNumber)
    .action(act(statistics));
}

type Named = Pick<Destination, 'type' | 'url' | 'label' | 'subscriptionId'>;

function nameOf({ type, url, label, subscriptionId }: Named): string {
  return [type === 'webhook' ? 'webhook' : (subscriptionId ?? type), label, url].filter(Boolean).join(' ');
}

function statusOf({
  enabled,
  disabledReason,
  notSettlingSince,
  circuit,
  failingSince,
  isKept,
}: Destination): CellValue {
  if (!enabled) return { text: `disabled (${disabledReason ?? 'by_hand'})`, tone: 'bad' };
  if (notSettlingSince) return { text: `not settling since ${formatTime(notSettlingSince)}`, tone: 'bad' };
  if (circuit.state === 'open') return { text: `circuit open (${circuit.reason})`, tone: 'bad' };
  if (failingSince !== null) return { text: `failing since ${formatTime(failingSince)}`, tone: 'busy' };
  return { text: isKept ? 'previous URL' : 'healthy', tone: isKept ? 'quiet' : 'good' };
}

function onOff(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}

async function destinations(run: Run, ch: string): Promise<void> {
  showDestinations(run, await (await run.client()).get('/channels/{ch}/destinations', { params: { path: { ch } } }));
}

/** What differs from the defaults. */
function optionsOf({ headers, authentication, timeoutSeconds, rate, retrySchedule, debounce }: Destination): string {
  const { requestsPerSecond, concurrency } = rate;
  return [
    headers.length > 0 && `headers ${headers.join(' ')}`,
    authentication.type !== 'none' && [authentication.type, authentication.username].filter(Boolean).join(' '),
    timeoutSeconds !== null && `time-out ${timeoutSeconds} s`,
    requestsPerSecond !== null && `${requestsPerSecond}/s`,
    concurrency !== null && `${concurrency} at a time`,
    retrySchedule !== 'default' &&
      `retries ${typeof retrySchedule === 'string' ? retrySchedule : retrySchedule.steps.join(',')}`,
    debounce !== null && `debounce ${debounce.seconds} s or ${debounce.maxEvents} events`,
  ]
    .filter(Boolean)
    .join(', ');
}

type OrderingArguments = [ordering: DestinationOrdering, options: { readonly destination: string }];

async function setOrdering(run: Run, ch: string, ...[ordering, { destination }]: OrderingArguments): Promise<void> {
  const change = { params: { path: { ch } }, body: { destination, ordering } };
  showDestinations(run, await (await run.client()).patch('/channels/{ch}/destinations', change));
}

type TraceHeaderArguments = [state: 'on' | 'off', options: { readonly destination: string }];

async function setTraceHeader(run: Run, ch: string, ...[state, { destination }]: TraceHeaderArguments): Promise<void> {
  const change = { params: { path: { ch } }, body: { destination, sendsTraceParent: state === 'on' } };
  showDestinations(run, await (await run.client()).patch('/channels/{ch}/destinations', change));
}

export function showDestinations({ output }: Run, answer: Destinations): void {
  if (output.isJson) return output.json(answer);
  if (answer.destinations.length === 0)
    return output.note('No destinations. Set a webhook with `channels webhook set`.');
  output.table(answer.destinations, [
    { title: 'DESTINATION', of: nameOf },
    { title: 'STATUS', of: statusOf },
    { title: 'ORDERING', of: ({ ordering }) => ordering },
    {
      title: 'TRACE HEADER',
      of: ({ type, sendsTraceParent }) => (type === 'listener' ? null : onOff(sendsTraceParent)),
    },
    { title: 'OPTIONS', of: optionsOf },
    { title: 'WAITING', of: ({ waiting }) => waiting.pending + waiting.retrying },
    { title: 'OLDEST WAITING (UTC)', of: ({ oldestWaitingAt }) => timeCell(oldestWaitingAt) },
    { title: 'LAST DELIVERED (UTC)', of: ({ lastDeliveredAt }) => timeCell(lastDeliveredAt) },
    { title: 'LAST FAILURE (UTC)', of: ({ lastFailureAt }) => timeCell(lastFailureAt) },
  ]);
}

interface StatisticsOptions {
  readonly since?: string;
  readonly until?: string;
  readonly buckets?: number;
}

async function statistics(run: Run, ch: string, options: StatisticsOptions): Promise<void> {
  const query = omitUndefined({ ...parseTimeRange(options, run.world), buckets: options.buckets });
  const answer = await (await run.client()).get('/channels/{ch}/statistics', { params: { path: { ch }, query } });
  const { output } = run;
  if (output.isJson) return output.json(answer);
  const rows = answer.destinations.flatMap((destination) =>
    destination.buckets
      .filter(({ deliveries }) => deliveries > 0)
      .map((bucket) => ({ ...bucket, name: nameOf(destination) })),
  );
  if (rows.length === 0) return output.note('No deliveries found.');
  output.table(rows, [
    { title: 'START (UTC)', of: ({ at }) => timeCell(at) },
    { title: 'DELIVERIES', of: ({ deliveries }) => deliveries },
    { title: 'DELIVERED', of: ({ delivered }) => delivered },
    { title: 'FAILED', of: ({ failed }) => failed },
    { title: 'WAITING', of: ({ waiting }) => waiting },
    { title: 'P50 MS', of: ({ latencyMs }) => latencyMs && Math.round(latencyMs.p50) },
    { title: 'P95 MS', of: ({ latencyMs }) => latencyMs && Math.round(latencyMs.p95) },
    { title: 'DESTINATION', of: ({ name }) => name },
  ]);
  if (!answer.isComplete) output.note('Too many deliveries to count. The table covers the most recent ones.');
}
