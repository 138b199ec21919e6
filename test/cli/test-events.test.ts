import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Knex } from 'knex';
import { recordTestAttempt } from '../../db/destinations/test-events.ts';
import type { WorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import { fieldsOf } from '../harness/fields-of.ts';
import { aDestination, aWebhook } from '../harness/deliveries/ledger.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { cliStage } from './api-stage.ts';

/** Every receiver accepts. */
const acceptedTests = (db: Knex): Partial<WorkflowStarts> => ({
  sendTestEvent: async ({ testEventId: id }) => {
    const answer = { responseHeaders: {}, responseBody: Buffer.from('thanks'), error: null };
    const attempt = { number: 1, startedAtMs: 0, durationMs: 7, outcome: 'accepted', status: 200, ...answer } as const;
    await recordTestAttempt(db, { id, attempt });
    return { state: 'ended', result: 'accepted' };
  },
});

test('a test event of any type is sent, listed and shown', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t, { starts: acceptedTests });
  await aWebhook(db, channel);
  const destination_id = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id });

  const sent = await cli.json(`webhook test ${ch} --event-type chatapp.message.status`);
  t.like(sent, { eventType: 'chatapp.message.status', subscriptionId: null });
  const another = await cli.json(`subscriptions test ${ch} sub_00000001 --event-type chatapp.other.received`);
  t.like(another, { eventType: 'chatapp.other.received', subscriptionId: 'sub_00000001' });
  await cli.fails(2, `webhook test ${ch} --event-type chatapp.unknown`);

  const { testEvents } = await cli.json(`webhook tests ${ch}`);
  t.deepEqual(fieldsOf(testEvents, 'deliveryId'), [another.deliveryId, sent.deliveryId]);
  t.regex((await cli.run(`webhook tests ${ch}`)).stdout, /accepted, HTTP 200 in 7 ms/);
  t.like(await cli.json(`webhook tests ${ch} ${sent.deliveryId}`), { isTest: true, payload: sent.payload });
  const { stdout } = await cli.run(`webhook tests ${ch} ${sent.deliveryId}`);
  t.regex(stdout, /Event type +chatapp\.message\.status\n/);
  t.regex(stdout, /Body +thanks\n/);
  t.regex(await cli.fails(1, `webhook tests ${ch} wd_00000000`), /DELIVERY_NOT_FOUND/);

  const guide = readFileSync(join(projectRoot, 'docs/events.md'), 'utf8').split('## Types')[0]!;
  const commands = guide.split('\n').filter((line) => line.startsWith('channels '));
  t.is(commands.length, 3);
  for (const line of commands) {
    const [command = ''] = line.replace('channels ', '').split(' #');
    const { code, stderr } = await cli.run(
      command.trim().replace('"$CHATAPP_CHANNEL_ID"', ch).replace('"$test"', sent.deliveryId),
    );
    t.is(code, 0, stderr);
  }
});

test('trigger sends a sample event of a short or full type', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t, { starts: acceptedTests });
  await aWebhook(db, channel);
  const destination_id = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id });

  t.like(await cli.json(`trigger message.status --channel ${ch}`), { eventType: 'chatapp.message.status' });
  const full = await cli.json(`trigger chatapp.message.received --channel ${ch} --destination sub_00000001`);
  t.like(full, { eventType: 'chatapp.message.received', subscriptionId: 'sub_00000001' });
  t.regex((await cli.run(`trigger message.received --channel ${ch}`)).stdout, /accepted, HTTP 200/);
  t.regex(await cli.fails(2, `trigger comment.received --channel ${ch}`), /A chatapp channel[^]*message\.received/);
  t.regex(await cli.fails(2, 'trigger message.received'), /--channel is required/);
  t.regex((await cli.run('trigger')).stdout, /message\.status +chatapp +chatapp\.message\.status/);
});
