import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import test from 'ava';
import { platformStage } from '../harness/operations/platform-stage.ts';

const run = promisify(execFile);

/** The first block sets the variables that all others use. */
async function commandsBelow(heading: string): Promise<string> {
  const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const blockIn = (text: string): string => /^```sh\n([^]*?)^```/m.exec(text)?.[1] ?? '';
  return `${blockIn(guide)}${blockIn(guide.slice(guide.indexOf(heading)))}`;
}

test('the commands of the guide schedule, change and cancel a message', async (t) => {
  const { url, apiKey, workspace, channel, db } = await platformStage(t, 'chatapp');
  const commands = await commandsBelow('### Scheduled messages');
  const env = {
    ...process.env,
    ...{ BASE_URL: url, SERVICE_API_KEY: apiKey, SERVICE_WORKSPACE_ID: workspace.publicId },
    ...{ CHATAPP_CHANNEL_ID: channel.publicId, PHOTOAPP_CHANNEL_ID: 'none', PAGEAPP_CHANNEL_ID: 'none' },
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], { env });
  t.regex(stdout, /"status":"scheduled"[^]*"text":"See you"[^]*"status":"cancelled"/);
  t.deepEqual(await db('audit_entries').where('action', 'like', 'scheduledMessage.%').orderBy('id').pluck('action'), [
    'scheduledMessage.created',
    'scheduledMessage.changed',
    'scheduledMessage.cancelled',
  ]);
});
