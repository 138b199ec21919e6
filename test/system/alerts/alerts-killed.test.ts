import test from 'ava';
import { anInbox } from '../../harness/people/email-codes.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

test('a worker killed between an alert and its email loses neither', async (t) => {
  t.timeout(240_000);
  const inbox = await anInbox(t);
  const env = { SMTP_URL: inbox.smtpUrl, MAIL_FROM: 'no-reply@example.com', ALERT_GATHER_SECONDS: '3' };
  const system = await startSystem(t, { env });
  const { db, api, channel, workers, tenant } = system;
  const { organization, user } = tenant;
  await db('alert_rules').insert({ organization_id: organization.id, user_id: user.id, min_severity: 'warning' });
  const { id: channelId } = await channel({ webhookUrl: 'https://gone.example.com/hook' });
  const webhook = () => db('destinations').where({ channel_id: channelId, type: 'webhook' });
  await webhook().update({ enabled: false, disabled_reason: 'gone' });

  const listed = async () => (await api.call(`GET /organizations/${organization.publicId}/alerts`)).body.alerts;
  await until(async () => (await listed()).length === 1, { for: 'The alert', timeoutMs: 60_000 });
  await workers[0]!.kill9();
  t.deepEqual(inbox.messages(user.email), []);
  await workers[0]!.start();
  await until(() => inbox.messages(user.email).length > 0, { for: 'The email', timeoutMs: 120_000 });
  t.regex(inbox.messages(user.email)[0]?.text ?? '', /A destination was disabled/);

  await webhook().update({ enabled: true, disabled_reason: null });
  const isOver = async () => (await listed())[0].status === 'resolved';
  await until(isOver, { for: 'The end of the alert', timeoutMs: 60_000 });
  await until(() => inbox.messages(user.email).length > 1, { for: 'The second email', timeoutMs: 120_000 });
  t.deepEqual(
    inbox.messages(user.email).map(({ subject }) => subject),
    ['Acme: 1 alert is over', 'Acme: 1 alert'],
    'newest first',
  );
});
