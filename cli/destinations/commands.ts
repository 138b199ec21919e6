import { InvalidArgumentError } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { destinationOrderings } from '../../contract/deliveries/status.ts';
import { type Debounce, type RetrySchedule, retryScheduleNames } from '../../contract/destinations/options.ts';
import { eventTypes, fitsChannelType, type ChannelType, type EventType } from '../../contract/event-types.ts';
import { parseWholeNumber } from '../commands/arguments.ts';
import { command, type Definition } from '../commands/definition.ts';
import {
  type Given,
  fallback,
  type Flags,
  type Kind,
  many,
  oneOf,
  pages,
  span,
  wholeNumber,
} from '../commands/flags.ts';
import { showList } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { describeAttempt } from '../deliveries/delivery-view.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { type CellValue, type Field, fieldsOf, formatTime, timeCell, type View } from '../terminal/output.ts';
import { readAll, readSecretLine } from '../terminal/prompt.ts';

type Destinations = Schema<'ChannelDestinations'>;
type Destination = Destinations['destinations'][number];
type Change = Schema<'ChannelDestinationChange'>;

const destination = [
  '--destination <destination>',
  '`webhook`, or the ID of a subscription',
  fallback('webhook'),
] as const;

function nameOf({ type, url, label, subscriptionId }: Pick<Destination, 'type' | 'url' | 'label' | 'subscriptionId'>) {
  return [type === 'webhook' ? 'webhook' : (subscriptionId ?? type), label, url].filter(Boolean).join(' ');
}

function statusOf(shown: Destination): CellValue {
  const { enabled, disabledReason, notSettlingSince, overdueSince, overdueReason, circuit, failingSince, isKept } =
    shown;
  if (!enabled) return { text: `disabled (${disabledReason ?? 'by_hand'})`, tone: 'bad' };
  if (notSettlingSince) return { text: `not settling since ${formatTime(notSettlingSince)}`, tone: 'bad' };
  if (circuit.state === 'open') return { text: `circuit open (${circuit.reason})`, tone: 'bad' };
  if (overdueSince) return { text: `overdue since ${formatTime(overdueSince)} (${overdueReason})`, tone: 'bad' };
  if (failingSince !== null) return { text: `failing since ${formatTime(failingSince)}`, tone: 'busy' };
  return { text: isKept ? 'previous URL' : 'healthy', tone: isKept ? 'quiet' : 'good' };
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

function traceHeaderOf({ type, sendsTraceParent }: Destination): string | null {
  if (type === 'listener') return null;
  return sendsTraceParent ? 'on' : 'off';
}

function showDestinations({ output }: Run, answer: Destinations): void {
  if (output.isJson) return output.json(answer);
  if (answer.destinations.length === 0)
    return output.note('No destinations. Set a webhook with `channels webhook set`.');
  output.table(answer.destinations, {
    DESTINATION: nameOf,
    STATUS: statusOf,
    ORDERING: 'ordering',
    'TRACE HEADER': traceHeaderOf,
    OPTIONS: optionsOf,
    WAITING: ({ waiting }) => waiting.pending + waiting.retrying,
    'OLDEST WAITING (UTC)': 'oldestWaitingAt',
    'LAST DELIVERED (UTC)': 'lastDeliveredAt',
    'LAST FAILURE (UTC)': 'lastFailureAt',
  });
}

/** Five minutes each of the default hour: what a terminal shows at once. */
const BUCKETS = 12;

export const health: readonly Definition[] = [
  route('destinations <channel>', 'GET /channels/{ch}/destinations', {
    summary: 'Show the destinations of a channel and their health',
    show: showDestinations,
  }),
  route('ordering <channel> <ordering>', 'PATCH /channels/{ch}/destinations', {
    summary: 'Set the delivery order of a destination',
    examples: ['ch_4fT9aPq2 none', 'ch_4fT9aPq2 conversation --destination sub_8mBnQ2xV'],
    operands: { ordering: { text: 'order within a conversation, or none', choices: destinationOrderings } },
    flags: { destination },
    show: showDestinations,
  }),
  route('trace-header <channel> <state>', 'PATCH /channels/{ch}/destinations', {
    summary: 'Set whether a destination receives the header traceparent',
    examples: ['ch_4fT9aPq2 off', 'ch_4fT9aPq2 on --destination sub_8mBnQ2xV'],
    operands: { state: { text: 'on, or off', choices: ['on', 'off'] } },
    flags: { destination },
    input: (options, [, state]) => ({ ...options, sendsTraceParent: state === 'on' }),
    show: showDestinations,
  }),
  route('statistics <channel>', 'GET /channels/{ch}/statistics', {
    summary: 'Show delivery counts and latency by destination over time',
    examples: 'ch_4fT9aPq2 --since 24h --buckets 24',
    flags: {
      since: ['--since <time>', `${span.since[1]} (default: 1h)`, span.since[2]],
      until: span.until,
      buckets: ['--buckets <n>', `number of time buckets (default: ${BUCKETS})`, wholeNumber],
    },
    input: (options) => ({ ...options, buckets: options.buckets ?? BUCKETS }),
    show: showStatistics,
  }),
];

function showStatistics({ output }: Run, answer: Schema<'ChannelStatistics'>): void {
  if (output.isJson) return output.json(answer);
  const rows = answer.destinations.flatMap((one) => one.buckets.map((bucket) => ({ ...bucket, name: nameOf(one) })));
  if (rows.every(({ deliveries, failedAttempts }) => deliveries + failedAttempts === 0)) {
    return output.note('No deliveries found.');
  }
  output.table(rows, {
    'START (UTC)': 'at',
    DELIVERIES: 'deliveries',
    DELIVERED: 'delivered',
    FAILED: 'failed',
    WAITING: 'waiting',
    'FAILED ATTEMPTS': 'failedAttempts',
    'P50 MS': ({ latencyMs }) => latencyMs && Math.round(latencyMs.p50),
    'P95 MS': ({ latencyMs }) => latencyMs && Math.round(latencyMs.p95),
    DESTINATION: 'name',
  });
  if (!answer.isComplete) output.note('Too many deliveries to count. The table covers the most recent ones.');
}

/** Not null for the default: the parser of options would replace it. */
const limit: Kind<number | null | undefined> = {
  parse: (text: string) => (text === 'default' ? text : parseWholeNumber(text)),
  convert: (parsed: number | 'default' | undefined) => (parsed === 'default' ? null : parsed),
};

const schedule: Kind<RetrySchedule | undefined> = {
  parse(text: string): RetrySchedule {
    const name = retryScheduleNames.find((one) => one === text);
    if (name) return name;
    if (!/^\d{1,6}(,\d{1,6}){0,99}$/.test(text))
      throw new InvalidArgumentError(`Use ${retryScheduleNames.join(', ')}, or seconds separated by commas.`);
    return { steps: text.split(',').map(Number) };
  },
};

const debounce: Kind<Debounce | null | undefined> = {
  parse(text: string): Debounce | 'off' {
    if (text === 'off') return text;
    const [, seconds, maxEvents] = /^(\d{1,3})(?::(\d{1,3}))?$/.exec(text) ?? [];
    if (seconds === undefined)
      throw new InvalidArgumentError('Use seconds such as 10, seconds and events such as 10:20, or off.');
    return { seconds: Number(seconds), ...(maxEvents !== undefined && { maxEvents: Number(maxEvents) }) };
  },
  convert: (parsed: Debounce | 'off' | undefined) => (parsed === 'off' ? null : parsed),
};

const settings = {
  destination,
  headersStdin: ['--headers-stdin', 'read headers from standard input, one `Name: value` per line'],
  removeHeader: ['--remove-header <name>', 'remove a header; repeatable', many],
  auth: ['--auth <type>', 'authentication of the deliveries', oneOf(['none', 'basic', 'bearer'])],
  username: ['--username <name>', 'user name for --auth basic'],
  secretStdin: ['--secret-stdin', 'read the password or token from standard input (default: DESTINATION_SECRET)'],
  timeout: ['--timeout <seconds>', 'seconds to wait for a response, or default', limit],
  rate: ['--rate <requests>', 'requests per second, or default', limit],
  concurrency: ['--concurrency <requests>', 'requests at the same time, or default', limit],
  retries: ['--retries <schedule>', 'default, fast, patient, or seconds separated by commas', schedule],
  debounce: ['--debounce <seconds>', 'gather the events of a conversation: seconds, seconds:events, or off', debounce],
} as const satisfies Flags;
type Settings = Given<typeof settings>;

export const destinationOptions = route('destination-options <channel>', 'PATCH /channels/{ch}/destinations', {
  summary: 'Set headers, authentication, time-out, rate, retries and debounce of a destination',
  examples: [
    'ch_4fT9aPq2 --timeout 20 --rate 5 --concurrency 2 --retries patient',
    'ch_4fT9aPq2 --headers-stdin < headers.txt',
    'ch_4fT9aPq2 --auth basic --username hooks --secret-stdin < password.txt',
    'ch_4fT9aPq2 --destination sub_8mBnQ2xV --retries 5,30,300 --rate default',
    'ch_4fT9aPq2 --debounce 10:20',
  ],
  flags: settings,
  async input(options, _, run) {
    const { rate, concurrency, retries } = options;
    const rates = omitUndefined({ requestsPerSecond: rate, concurrency });
    const change = omitUndefined({
      headers: await headersOf(run, options),
      authentication: await authenticationOf(run, options),
      timeoutSeconds: options.timeout,
      rate: Object.keys(rates).length === 0 ? undefined : rates,
      retrySchedule: typeof retries === 'object' ? { steps: [...retries.steps] } : retries,
      debounce: options.debounce,
    });
    if (Object.keys(change).length === 0) throw usageError('Nothing to set.', 'Use --help to see the options.');
    return { destination: options.destination, ...change };
  },
  show: showDestinations,
});

async function headersOf({ world }: Run, { headersStdin, removeHeader = [] }: Settings): Promise<Change['headers']> {
  if (!headersStdin && removeHeader.length === 0) return undefined;
  const text = headersStdin ? (await readAll(world.stdin)).toString('utf8') : '';
  const headers: Record<string, string | null> = {};
  for (const name of removeHeader) headers[name] = null;
  for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const colon = line.indexOf(':');
    // The line may contain a secret, so the error doesn't quote it.
    if (colon < 1) throw usageError('Each line must have the form `Name: value`.');
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return headers;
}

async function authenticationOf({ world }: Run, options: Settings): Promise<Change['authentication']> {
  const { auth, username, secretStdin, headersStdin } = options;
  if (username !== undefined && auth !== 'basic') throw usageError('--username requires --auth basic.');
  if (auth === undefined || auth === 'none') return auth && { type: auth };
  if (secretStdin && headersStdin)
    throw usageError('--secret-stdin and --headers-stdin cannot be combined: standard input has only one use.');
  const secret = secretStdin ? await readSecretLine(world, 'secret') : world.env['DESTINATION_SECRET'];
  if (!secret) throw usageError('Missing secret.', 'Set DESTINATION_SECRET, or use --secret-stdin.');
  if (auth === 'bearer') return { type: auth, token: secret };
  if (username === undefined) throw usageError('--auth basic requires --username.');
  return { type: auth, username, password: secret };
}

const tested: View<Pick<Schema<'TestEvent'>, 'attempt' | 'url' | 'eventType' | 'deliveryId'>> = {
  Destination: 'url',
  'Event type': 'eventType',
  Delivery: 'deliveryId',
  Response: ({ attempt }) =>
    attempt ? { text: describeAttempt(attempt), tone: attempt.outcome === 'accepted' ? 'good' : 'bad' } : 'not sent',
  Body: ({ attempt }) => attempt?.responseBody || undefined,
};

export function showTest({ output, progress }: Run, test: Schema<'DestinationTest'>): void {
  progress.end();
  output.record(test, fieldsOf(tested, test));
  if (test.attempt.outcome === 'accepted') return;
  throw new CliError(`${test.url} did not accept the test event.`, { exitCode: exitCodes.failure });
}

export const tests = command('tests <channel> [delivery]', {
  summary: 'List the test events of the channel, newest first, or show one',
  examples: ['ch_4fT9aPq2', 'ch_4fT9aPq2 wd_9xL2mRt7'],
  flags: pages,
  async run(run, [ch, wd], options) {
    const client = await run.client();
    if (wd === undefined) {
      return await showList(run, options, {
        columns: {
          DELIVERY: 'deliveryId',
          'SENT (UTC)': 'createdAt',
          'EVENT TYPE': 'eventType',
          RESPONSE: ({ attempt }) => (attempt ? describeAttempt(attempt) : 'not sent'),
          DESTINATION: ({ subscriptionId, url }) => `${subscriptionId ?? 'webhook'} ${url}`,
        },
        read: (query) => client.get('/channels/{ch}/test-events', { params: { path: { ch }, query } }),
      });
    }
    const test = await client.get('/channels/{ch}/test-events/{wd}', { params: { path: { ch, wd } } });
    run.output.record(test, [
      ['Sent', timeCell(test.createdAt)],
      ...fieldsOf(tested, test),
      ['Event', test.eventId],
      ['Payload', test.payload],
    ] satisfies Field[]);
  },
});

function shortOf(type: EventType): string {
  return type.slice(type.indexOf('.') + 1);
}

/** `message.received` means that of the channel's type. */
const shortTypes = [...new Set(eventTypes.map(shortOf))];

export const trigger = command('trigger [type]', {
  summary: 'Send a sample event of a type to a destination and show its response; without a type, list the types',
  examples: [
    'channels trigger                                              # all types',
    'message.received --channel ch_4fT9aPq2',
    'chatapp.message.status --channel ch_4fT9aPq2 --destination sub_8kLm3Qz1',
  ],
  // `typeFor` checks the type, because it depends on the channel.
  operands: { type: { text: 'type of the event', choices: shortTypes, isOpen: true } },
  flags: {
    channel: ['--channel <id>', 'ID of the channel'],
    destination: ['--destination <where>', '`webhook`, or the ID of a subscription', fallback('webhook')],
  },
  remarks: `Types: ${shortTypes.join(', ')}\n\nThe event is signed and sent as a delivery is, marked as a test. It creates no delivery and opens no circuit.`,
  async run(run, [type], { channel: ch, destination: sub }) {
    if (type === undefined) return listTypes(run);
    if (ch === undefined) throw usageError('--channel is required.', 'See `channels list` for the IDs.');
    const client = await run.inWorkspace();
    const channel = await client.get('/platform/channels/{ch}', { params: { path: { ch } } });
    const body = { eventType: typeFor(type, channel.type) };
    run.progress.show(`Sending ${body.eventType}`);
    const answer =
      sub === 'webhook'
        ? await client.post('/webhook-config/{ch}/test', { params: { path: { ch } }, body })
        : await client.post('/channels/{ch}/subscriptions/{sub}/test', { params: { path: { ch, sub } }, body });
    showTest(run, answer);
  },
});

function typeFor(named: string, channelType: ChannelType): EventType {
  const fitting = eventTypes.filter((type) => fitsChannelType(type, channelType));
  const found = fitting.find((type) => type === named || shortOf(type) === named);
  if (found !== undefined) return found;
  const hint = `Use ${fitting.map(shortOf).join(', ')}.`;
  throw usageError(`A ${channelType} channel has no events of the type '${named}'.`, hint);
}

function listTypes({ output }: Run): void {
  const types = eventTypes.map((type) => ({ type, channelType: type.slice(0, type.indexOf('.')) }));
  if (output.isJson) return output.json({ eventTypes: types });
  output.table(types, { TYPE: ({ type }) => shortOf(type), CHANNELS: 'channelType', 'FULL NAME': 'type' });
}
