import test from 'ava';
import type { Knex } from 'knex';
import { endRollout } from '../../db/webhooks/rollout-runs.ts';
import { commitDefaultWebhook } from '../../db/webhooks/default-webhooks.ts';
import type { WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import { cliStage } from '../cli/api-stage.ts';
import { aSession } from '../harness/people/sessions.ts';
import { commandsIn } from './command-lines.ts';
import { shellBlocksOf } from './shell-blocks.ts';
import { rolloutSteps } from '../harness/channels/default-webhooks.ts';

/** The commands of a guide whose words begin with these. */
function commandsOf(name: string, first: string): string[] {
  const commands = shellBlocksOf(`docs/${name}`).flatMap(({ code }) => commandsIn(code));
  return commands.map((words) => words.join(' ')).filter((command) => command.startsWith(`${first} `));
}

test('the key of the CLI guide has the limits of its options', async (t) => {
  const { cli, ws, db, user } = await cliStage(t);
  const { accessToken } = await aSession(db, user);
  const env = { SERVICE_API_KEY: accessToken };
  const [create = '', ...others] = commandsOf('cli.md', 'keys create');
  t.deepEqual(others, []);
  const key = await cli.json(create.replace('ws_8kLm3Qz1', ws), { env });
  t.like(key, { scopes: ['deliveries.read'], workspaceIds: [ws], allowedCidrs: ['192.0.2.0/24'] });
  t.like(await cli.json('keys list', { env }), { keys: [{ keyId: key.keyId, workspaceIds: [ws] }] });
});

test('the commands of the default webhook roll it out over a channel', async (t) => {
  const { cli, ch } = await cliStage(t, { starts: rollingOut });
  const commands = commandsOf('receiving.md', 'default-webhook');
  t.deepEqual(
    commands.map((line) => line.split(' ')[1]),
    ['set', 'apply', 'apply', 'results'],
  );
  const [set = '', dryRun = '', apply = '', results = ''] = commands;
  t.like(await cli.json(set, { stdin: 'a token\n' }), { webhookUrl: 'https://app.example.com/hook' });
  t.like(await cli.json(dryRun), { dryRun: true, status: 'completed', total: 1 });
  const { rolloutId, ...rollout } = await cli.json(`${apply} --yes`);
  t.like(rollout, { dryRun: false, status: 'completed', total: 1, applied: 1 });
  const failed = results.replace('dwr_4fT9aPq2', rolloutId);
  t.deepEqual((await cli.json(failed)).results, []);
  t.like(await cli.json(failed.replace('failed', 'applied')), { results: [{ channelId: ch }] });
});

/** Does what the workflows do for a receiver that passes both probes. */
const rollingOut = (db: Knex): Partial<WorkflowStarts> => ({
  saveDefaultWebhook: async ({ defaultWebhookId }) => ({
    state: 'ended',
    result: await commitDefaultWebhook(db, defaultWebhookId),
  }),
  rollOutWebhook: async ({ rolloutId }) => {
    const steps = await rolloutSteps(db, rolloutId);
    for (const channel of await steps.settleAll()) await steps.save(channel);
    await endRollout(db, { publicId: rolloutId, status: 'completed' });
    return { state: 'ended', result: 'started' };
  },
});
