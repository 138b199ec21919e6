import { type Command, InvalidArgumentError } from 'commander';
import { type Debounce, type RetrySchedule, retryScheduleNames } from '../../contract/destinations/options.ts';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, choiceOption, collectValues, parseWholeNumber } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { readAll, readSecretLine } from '../terminal/prompt.ts';
import { showDestinations } from './health.ts';

type Change = Schema<'ChannelDestinationChange'>;

/** Not null for the default: the parser of options would replace it. */
type Limit = number | 'default';

interface Options {
  readonly destination: string;
  readonly headersStdin?: boolean;
  readonly removeHeader?: readonly string[];
  readonly auth?: 'none' | 'basic' | 'bearer';
  readonly username?: string;
  readonly secretStdin?: boolean;
  readonly timeout?: Limit;
  readonly rate?: Limit;
  readonly concurrency?: Limit;
  readonly retries?: RetrySchedule;
  readonly debounce?: Debounce | 'off';
}

export function addDestinationOptions(program: Command, act: Act): void {
  addCommand(program, 'destination-options <channel>', {
    summary: 'Set headers, authentication, time-out, rate, retries and debounce of a destination',
    examples: [
      'channels destination-options ch_4fT9aPq2 --timeout 20 --rate 5 --concurrency 2 --retries patient',
      'channels destination-options ch_4fT9aPq2 --headers-stdin < headers.txt',
      'channels destination-options ch_4fT9aPq2 --auth basic --username hooks --secret-stdin < password.txt',
      'channels destination-options ch_4fT9aPq2 --destination sub_8mBnQ2xV --retries 5,30,300 --rate default',
      'channels destination-options ch_4fT9aPq2 --debounce 10:20',
    ],
  })
    .option('--destination <destination>', '`webhook`, or the ID of a subscription', 'webhook')
    .option('--headers-stdin', 'read headers from standard input, one `Name: value` per line')
    .option('--remove-header <name>', 'remove a header; repeatable', collectValues)
    .addOption(choiceOption('--auth <type>', 'authentication of the deliveries', ['none', 'basic', 'bearer']))
    .option('--username <name>', 'user name for --auth basic')
    .option('--secret-stdin', 'read the password or token from standard input (default: DESTINATION_SECRET)')
    .option('--timeout <seconds>', 'seconds to wait for a response, or default', parseLimit)
    .option('--rate <requests>', 'requests per second, or default', parseLimit)
    .option('--concurrency <requests>', 'requests at the same time, or default', parseLimit)
    .option('--retries <schedule>', 'default, fast, patient, or seconds separated by commas', parseSchedule)
    .option(
      '--debounce <seconds>',
      'gather the events of a conversation: seconds, seconds:events, or off',
      parseDebounce,
    )
    .action(act(setOptions));
}

function parseDebounce(text: string): Debounce | 'off' {
  if (text === 'off') return text;
  const [, seconds, maxEvents] = /^(\d{1,3})(?::(\d{1,3}))?$/.exec(text) ?? [];
  if (seconds === undefined)
    throw new InvalidArgumentError('Use seconds such as 10, seconds and events such as 10:20, or off.');
  return { seconds: Number(seconds), ...(maxEvents !== undefined && { maxEvents: Number(maxEvents) }) };
}

function parseLimit(text: string): Limit {
  return text === 'default' ? text : parseWholeNumber(text);
}

function parseSchedule(text: string): RetrySchedule {
  const name = retryScheduleNames.find((one) => one === text);
  if (name) return name;
  if (!/^\d{1,6}(,\d{1,6}){0,99}$/.test(text))
    throw new InvalidArgumentError(`Use ${retryScheduleNames.join(', ')}, or seconds separated by commas.`);
  return { steps: text.split(',').map(Number) };
}

async function setOptions(run: Run, ch: string, options: Options): Promise<void> {
  const { destination, timeout, rate, concurrency, retries, debounce } = options;
  const change = omitUndefined({
    headers: await headersOf(run, options),
    authentication: await authenticationOf(run, options),
    timeoutSeconds: limitOf(timeout),
    rate: rate === undefined && concurrency === undefined ? undefined : rateOf(rate, concurrency),
    retrySchedule: typeof retries === 'object' ? { steps: [...retries.steps] } : retries,
    debounce: debounce === 'off' ? null : debounce,
  });
  if (Object.keys(change).length === 0) throw usageError('Nothing to set.', 'Use --help to see the options.');
  const client = await run.client();
  const params = { path: { ch } };
  showDestinations(
    run,
    await client.patch('/channels/{ch}/destinations', { params, body: { destination, ...change } }),
  );
}

function rateOf(rate: Limit | undefined, concurrency: Limit | undefined) {
  return omitUndefined({ requestsPerSecond: limitOf(rate), concurrency: limitOf(concurrency) });
}

function limitOf(limit: Limit | undefined): number | null | undefined {
  return limit === 'default' ? null : limit;
}

async function headersOf({ world }: Run, { headersStdin, removeHeader = [] }: Options): Promise<Change['headers']> {
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

async function authenticationOf({ world }: Run, options: Options): Promise<Change['authentication']> {
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
