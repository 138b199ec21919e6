import test, { type ExecutionContext } from 'ava';
import type { MailInbox } from '../../../simulator/mail/inbox.ts';
import { anInbox } from '../../harness/people/email-codes.ts';
import { startSystem, type System, systemTenant } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

test('a worker killed while it reports an alert repeats the report', async (t) => {
  t.timeout(20 * 60_000);
  const inbox = await anInbox(t);
  const env = { SMTP_URL: inbox.smtpUrl, MAIL_FROM: 'no-reply@example.com', ALERT_GATHER_SECONDS: '3' };
  const system = await startSystem(t, { env });
  await killedBeforeEmail(t, { ...system, inbox });
  await killedDuringCall(t, { ...system, ...(await systemTenant(system)) });
});

type Mailing = System & { readonly inbox: MailInbox };

async function killedBeforeEmail(t: ExecutionContext, system: Mailing): Promise<void> {
  const { db, api, channel, inbox, workers, tenant } = system;
  const { organization, user } = tenant;
  await db('alert_rules').insert({ organization_id: organization.id, user_id: user.id, min_severity: 'warning' });
  const { id: channelId } = await channel({ webhookUrl: 'https://gone.example.com/hook' });
  const webhook = () => db('destinations').where({ channel_id: channelId, type: 'webhook' });
  await webhook().update({ enabled: false, disabled_reason: 'gone' });

  const listed = async () => (await api.call(`GET /organizations/${organization.publicId}/alerts`)).body.alerts;
  await until(async () => (await listed()).length === 1, { for: 'The alert' });
  await workers[0]!.crash();
  await until(() => inbox.messages(user.email).length > 0, { for: 'The email' });
  t.regex(inbox.messages(user.email)[0]?.text ?? '', /A destination was disabled/);

  await webhook().update({ enabled: true, disabled_reason: null });
  const isOver = async () => (await listed())[0].status === 'resolved';
  await until(isOver, { for: 'The end of the alert' });
  const subjects = () => [...new Set(inbox.messages(user.email).map(({ subject }) => subject))];
  await until(() => subjects().length > 1, { for: 'The second email' });
  const [last, first] = subjects();
  t.regex(last!, /^Acme: Resolved: A destination was disabled/);
  t.regex(first!, /^Acme: A destination was disabled/);
}

async function killedDuringCall(t: ExecutionContext, system: System): Promise<void> {
  const { db, api, channel, receiver, workers, tenant } = system;
  const route = `/organizations/${tenant.organization.publicId}/alert-webhook`;
  const hook = receiver.webhook('alerts');
  const { secret } = (await api.call(`PUT ${route}`, { url: hook.url })).body;
  hook.set({ secret, answers: [{ mode: 'hang' }] });
  const { id: channelId } = await channel({ webhookUrl: 'https://gone.example.com/hook' });
  const webhook = () => db('destinations').where({ channel_id: channelId, type: 'webhook' });
  await webhook().update({ enabled: false, disabled_reason: 'gone' });
  await until(() => hook.deliveries().length > 0, { for: 'The first attempt' });
  await workers[0]!.crash();
  await until(() => hook.deliveries().length > 1, { for: 'The repeat' });
  const bodies = () => hook.deliveries().map(({ bodyBase64 }) => JSON.parse(atob(bodyBase64 ?? '')));
  const [first, repeat] = bodies();
  t.like(first, { id: repeat.id, type: 'alert.opened', count: 1 });
  t.true(hook.deliveries().every(({ standardSignatureValid }) => standardSignatureValid));

  await webhook().update({ enabled: true, disabled_reason: null });
  const isResolved = () => bodies().some(({ type }) => type === 'alert.resolved');
  await until(isResolved, { for: 'The call about the end' });
  const isDelivered = async () => (await api.call(`GET ${route}`)).body.lastDelivery.outcome === 'delivered';
  await until(isDelivered, { for: 'The last delivery' });
  t.deepEqual(await db('notifications').whereNot({ outcome: 'delivered' }), []);
  const tested = await api.callUntilDone(`POST ${route}/test`);
  t.like(tested.body.delivery, { type: 'alert.test', outcome: 'delivered', status: 200 });
}
