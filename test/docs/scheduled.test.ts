import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { platformStage } from '../harness/operations/platform-stage.ts';
import { shellBlocksOf } from './shell-blocks.ts';

const run = promisify(execFile);

/** The first block sets the variables that all others use. */
function commandsBelow(heading: string): string {
  const blocks = shellBlocksOf('docs/operations.md');
  return [blocks[0], blocks.find((block) => block.heading === heading)].map((block) => block?.code).join('');
}

const guides = [
  {
    what: 'a message',
    type: 'chatapp',
    heading: 'Scheduled messages',
    action: 'scheduledMessage',
    shown: '"text":"See you"',
  },
  {
    what: 'a post',
    type: 'photoapp',
    heading: 'Scheduled posts',
    action: 'scheduledPost',
    shown: '"caption":"Autumn"',
  },
] as const;

for (const { what, type, heading, action, shown } of guides) {
  test(`the commands of the guide schedule, change and cancel ${what}`, async (t) => {
    const { url, apiKey, workspace, channel, db } = await platformStage(t, type);
    const commands = commandsBelow(heading);
    const env = {
      ...process.env,
      BASE_URL: url,
      SERVICE_API_KEY: apiKey,
      SERVICE_WORKSPACE_ID: workspace.publicId,
      CHATAPP_CHANNEL_ID: channel.publicId,
      PHOTOAPP_CHANNEL_ID: channel.publicId,
      PAGEAPP_CHANNEL_ID: 'none',
    };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], { env });
    t.regex(stdout, new RegExp(`"status":"scheduled"[^]*${shown}[^]*"status":"cancelled"`));
    t.deepEqual(await db('audit_entries').where('action', 'like', `${action}.%`).orderBy('id').pluck('action'), [
      `${action}.created`,
      `${action}.changed`,
      `${action}.cancelled`,
    ]);
  });
}
