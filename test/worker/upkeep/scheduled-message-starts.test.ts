import test from 'ava';
import { createScheduledMessageStarts } from '../../../worker/upkeep/scheduled-message-starts.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aScheduledMessage, readMessage } from '../../harness/operations/scheduled-messages.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

async function startStage(t: Parameters<typeof testDatabase>[0]) {
  const { db } = await testDatabase(t);
  const { workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const started: string[] = [];
  const stage = { isReachable: true };
  const startDue = createScheduledMessageStarts({
    db,
    stopping: new AbortController().signal,
    log: rememberingLog(),
    startScheduledMessage: ({ scheduledMessageId }) => {
      if (!stage.isReachable) return Promise.reject(new Error('Temporal does not answer'));
      started.push(scheduledMessageId);
      return Promise.resolve();
    },
  });
  const message = async (delayMs = 0) =>
    await aScheduledMessage(db, { channel, workspace, values: { sendAt: new Date(Date.now() + delayMs) } });
  return { db, message, startDue, started, stage };
}

test('one round starts all messages that are due', async (t) => {
  const { message, startDue, started } = await startStage(t);
  const due: string[] = [];
  for (let count = 0; count < 60; count++) due.push((await message()).publicId);
  await message(3_600_000);
  await startDue();
  t.deepEqual(started.sort(), due.sort());
  await startDue();
  t.is(started.length, due.length);
});

test('a message that could not be started is due again', async (t) => {
  const { db, message, startDue, started, stage } = await startStage(t);
  const due = await message();
  stage.isReachable = false;
  await t.throwsAsync(startDue(), { message: 'Temporal does not answer' });
  stage.isReachable = true;
  t.is((await readMessage(db, due)).status, 'scheduled');
  await db('scheduled_messages').update({ next_start_at: due.nextAttemptAt });
  await startDue();
  t.deepEqual(started, [due.publicId]);
});
