import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const HELD_MS = 20_000;
const SOON_MS = 3_000;
/** Longer than it takes to kill the worker. */
const AFTER_KILL_MS = 15_000;
const people = { sent: '15551230001', held: '15551230002', waiting: '15551230003' } as const;
type Case = keyof typeof people;

/** The kill meets one message that was sent, one whose call has no answer, and one that waits. */
test('a killed worker sends no scheduled message twice', async (t) => {
  t.timeout(600_000);
  const { api, workers, platform, channel } = await startSystem(t);
  const { publicId, resourceId } = await channel();
  const path = `/channels/${publicId}/scheduled-messages`;
  platform.messaging.control({
    faults: [
      { at: 'send', match: { account: resourceId, to: people.held }, lost: 'after', delayMs: HELD_MS, times: 1 },
    ],
  });
  const schedule = async (name: Case, delayMs: number): Promise<string> => {
    const body = {
      sendAt: new Date(Date.now() + delayMs).toISOString(),
      message: { to: people[name], text: `Hello ${name}` },
    };
    const answer = await api.call(`POST ${path}`, body, { 'idempotency-key': randomUUID() });
    t.is(answer.status, 202, JSON.stringify(answer.body));
    return answer.body.scheduledMessageId;
  };
  const reaches = async (id: string, statuses: readonly string[]): Promise<string> => {
    let last: unknown;
    const look = async (): Promise<string | false> => {
      const { body } = await api.call(`GET ${path}/${id}`);
      last = body;
      return statuses.includes(body.status) && body.status;
    };
    return await until(look, { for: `${id} as ${statuses.join(' or ')}`, detail: () => last });
  };

  const ids = { sent: await schedule('sent', 0), held: await schedule('held', 0) };
  await reaches(ids.sent, ['sent']);
  await reaches(ids.held, ['sending', 'unknown']);
  const waiting = await schedule('waiting', AFTER_KILL_MS);
  await workers[0]!.crash();

  t.is(await reaches(ids.held, ['sent', 'failed', 'unknown', 'cancelled']), 'unknown');
  t.is(await reaches(waiting, ['sent', 'failed', 'unknown', 'cancelled']), 'sent');
  t.is(await reaches(ids.sent, ['sent']), 'sent');
  const sentTo = (to: string) => platform.messaging.sent().filter((one) => one.to === to).length;
  t.deepEqual([sentTo(people.sent), sentTo(people.waiting)], [1, 1]);
  t.true(sentTo(people.held) <= 1);
});

test('a message that is cancelled at its time is sent or cancelled', async (t) => {
  t.timeout(600_000);
  const { api, channel, platform } = await sharedSystem(t);
  const { publicId, resourceId } = await channel();
  const sent = () => platform.messaging.sent().filter(({ account }) => account === resourceId);
  const path = `/channels/${publicId}/scheduled-messages`;
  const sendAt = new Date(Date.now() + SOON_MS).toISOString();
  const ids: string[] = [];
  for (let index = 0; index < 6; index++) {
    const { body } = await api.call(`POST ${path}`, { sendAt, message: { to: `1555123100${index}`, text: 'Hello' } });
    ids.push(body.scheduledMessageId);
  }
  const cancelOnceSent = async (id: string, index: number): Promise<string> => {
    // Every other message is cancelled when the first one has gone, so that both ends come near each other.
    if (index % 2 === 1) await until(() => sent().length > 0, { for: 'the first send' });
    return (await api.call(`POST ${path}/${id}/cancel`)).body.status;
  };
  const answers = await Promise.all(ids.map((id, index) => cancelOnceSent(id, index)));
  for (const [index, id] of ids.entries()) {
    const hasEnded = async () => (await api.call(`GET ${path}/${id}`)).body.endedAt !== null;
    await until(hasEnded, { for: `the end of ${id}` });
    const { status } = (await api.call(`GET ${path}/${id}`)).body;
    t.is(status, answers[index] === 'cancelled' ? 'cancelled' : 'sent');
    const sends = sent().filter(({ to }) => to === `1555123100${index}`).length;
    t.is(sends, status === 'sent' ? 1 : 0);
  }
});
