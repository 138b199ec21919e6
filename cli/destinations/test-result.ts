import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { describeAttempt } from '../deliveries/describe-attempt.ts';
import { addCommand } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Field, timeCell } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

type TestEvent = Schema<'TestEvent'>;

export function addTests(webhook: Command, act: Act): void {
  withPages(
    addCommand(webhook, 'tests <channel> [delivery]', {
      summary: 'List the test events of the channel, newest first, or show one',
      examples: ['channels webhook tests ch_4fT9aPq2', 'channels webhook tests ch_4fT9aPq2 wd_9xL2mRt7'],
    }),
  ).action(act((run, ch: string, ...rest: TestsArguments) => listOrShow(run, ch, rest)));
}

type TestsArguments = readonly [wd: string | undefined, options: PageOptions];

async function listOrShow(run: Run, ch: string, [wd, options]: TestsArguments): Promise<void> {
  await (wd === undefined ? list(run, ch, options) : showPast(run, ch, wd));
}

async function showPast(run: Run, ch: string, wd: string): Promise<void> {
  const client = await run.client();
  const test = await client.get('/channels/{ch}/test-events/{wd}', { params: { path: { ch, wd } } });
  run.output.record(test, [
    ['Sent', timeCell(test.createdAt)],
    ...fieldsOf(test),
    ['Event', test.eventId],
    ['Payload', test.payload],
  ]);
}

async function list(run: Run, ch: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'testEvents',
    empty: 'No test events found.',
    columns: [
      { title: 'DELIVERY', of: ({ deliveryId }: TestEvent) => deliveryId },
      { title: 'SENT (UTC)', of: ({ createdAt }) => timeCell(createdAt) },
      { title: 'EVENT TYPE', of: ({ eventType }) => eventType },
      { title: 'RESPONSE', of: ({ attempt }) => (attempt ? describeAttempt(attempt) : 'not sent') },
      { title: 'DESTINATION', of: ({ subscriptionId, url }) => `${subscriptionId ?? 'webhook'} ${url}` },
    ],
    read: (query) => client.get('/channels/{ch}/test-events', { params: { path: { ch }, query } }),
  });
}

export function showTest({ output, progress }: Run, test: Schema<'DestinationTest'>): void {
  progress.end();
  output.record(test, fieldsOf(test));
  if (test.attempt.outcome === 'accepted') return;
  throw new CliError(`${test.url} did not accept the test event.`, { exitCode: exitCodes.failure });
}

type Shown = Pick<TestEvent, 'attempt' | 'url' | 'eventType' | 'deliveryId'>;

function fieldsOf({ attempt, url, eventType, deliveryId }: Shown): readonly Field[] {
  const tone = attempt?.outcome === 'accepted' ? 'good' : 'bad';
  return [
    ['Destination', url],
    ['Event type', eventType],
    ['Delivery', deliveryId],
    ['Response', attempt ? { text: describeAttempt(attempt), tone } : 'not sent'],
    ...(attempt?.responseBody ? [['Body', attempt.responseBody] as const] : []),
  ];
}
