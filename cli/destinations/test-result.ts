import type { Schema } from '../../client/create-client.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { describeAttempt } from '../deliveries/describe-attempt.ts';
import type { Run } from '../commands/run.ts';

export function showTest({ output, progress }: Run, test: Schema<'DestinationTest'>): void {
  progress.end();
  const { attempt, url, eventType } = test;
  const isAccepted = attempt.outcome === 'accepted';
  output.record(test, [
    ['Destination', url],
    ['Event type', eventType],
    ['Response', { text: describeAttempt(attempt), tone: isAccepted ? 'good' : 'bad' }],
    ...(attempt.responseBody ? [['Body', attempt.responseBody] as const] : []),
  ]);
  if (!isAccepted) throw new CliError(`${url} did not accept the test event.`, { exitCode: exitCodes.failure });
}
