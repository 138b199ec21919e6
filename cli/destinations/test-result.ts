import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { describeAttempt } from '../deliveries/describe-attempt.ts';
import { addCommand } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { formatTime } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

type TestEvent = Schema<'TestEvent'>;

export function addTests(webhook: Command, act: Act): void {
  withPages(
    addCommand(webhook, 'tests <channel>', {
      summary: 'List the test events of the channel, newest first',
      examples: ['channels webhook tests ch_4fT9aPq2'],
    }),
  ).action(act(list));
}

async function list(run: Run, ch: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'testEvents',
    empty: 'No test events found.',
    columns: [
      { title: 'DELIVERY', of: ({ deliveryId }: TestEvent) => deliveryId },
      { title: 'SENT (UTC)', of: ({ createdAt }) => formatTime(createdAt) },
      { title: 'EVENT TYPE', of: ({ eventType }) => eventType },
      { title: 'RESPONSE', of: ({ attempt }) => (attempt ? describeAttempt(attempt) : 'not sent') },
      { title: 'DESTINATION', of: ({ subscriptionId, url }) => `${subscriptionId ?? 'webhook'} ${url}` },
    ],
    read: (query) => client.get('/channels/{ch}/test-events', { params: { path: { ch }, query } }),
  });
}

export function showTest({ output, progress }: Run, test: Schema<'DestinationTest'>): void {
  progress.end();
  const { attempt, url, eventType, deliveryId } = test;
  const isAccepted = attempt.outcome === 'accepted';
  output.record(test, [
    ['Destination', url],
    ['Event type', eventType],
    ['Delivery', deliveryId],
    ['Response', { text: describeAttempt(attempt), tone: isAccepted ? 'good' : 'bad' }],
    ...(attempt.responseBody ? [['Body', attempt.responseBody] as const] : []),
  ]);
  if (!isAccepted) throw new CliError(`${url} did not accept the test event.`, { exitCode: exitCodes.failure });
}
