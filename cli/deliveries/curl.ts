import type { Command } from 'commander';
import { curlCommand, redactedVariables } from '../../contract/deliveries/curl-command.ts';
import { addCommand, parseWholeNumber } from '../commands/arguments.ts';
import type { Act, Run } from '../commands/run.ts';
import { readSentRequest, type SentRequestOptions } from './sent-request.ts';

export function addCurl(deliveries: Command, act: Act): void {
  addCommand(deliveries, 'curl <delivery>', {
    summary: 'Print a request that was sent as a curl command, with its signatures',
    examples: [
      'channels deliveries curl wd_4fT9aPq2',
      'channels deliveries curl wd_4fT9aPq2 --attempt 1 | sh',
      'channels deliveries curl wd_9kRt2mXb --test-of ch_4fT9aPq2',
    ],
  })
    .option('--attempt <n>', 'number of the attempt (default: the last one)', parseWholeNumber)
    .option('--test-of <channel>', 'ID of the channel, if the delivery is a test event')
    .action(act(curl));
}

async function curl(run: Run, wd: string, options: SentRequestOptions): Promise<void> {
  const { output } = run;
  const { request, payload } = await readSentRequest(run, wd, options);
  const command = curlCommand({ ...request, payload });
  if (output.isJson) return output.json({ deliveryId: wd, ...request, command });
  output.exact(`${command}\n`);
  const variables = redactedVariables(request.headers);
  if (variables.length > 0)
    output.note(`Set ${variables.join(', ')} before you run it: these values are not recorded.`);
}
