import type { Schema } from '../../client/create-client.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { attemptSentence } from '../deliveries/attempt-sentence.ts';
import type { Run } from '../commands/run.ts';

/** Shows what came of a sample event; one that was not accepted is a failure of the command. */
export function showTest({ output, progress }: Run, test: Schema<'DestinationTest'>): void {
  progress.end();
  const { attempt, url, eventType } = test;
  const isAccepted = attempt.outcome === 'accepted';
  output.record(test, [
    ['Destination', url],
    ['Sample', eventType],
    ['Answer', { text: attemptSentence(attempt), tone: isAccepted ? 'good' : 'bad' }],
    ...(attempt.responseBody ? [['Body', attempt.responseBody] as const] : []),
  ]);
  if (!isAccepted) throw new CliError(`${url} did not accept the sample.`, { exitCode: exitCodes.failure });
}
