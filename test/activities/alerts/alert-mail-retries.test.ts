import test from 'ava';
import { createAlertActivities } from '../../../activities/alerts/alert-activities.ts';
import { type Mail, MailRefused } from '../../../activities/mails/mailer.ts';
import { listDueDigests } from '../../../db/alerts/digests.ts';
import { setOrganizationRole } from '../../../db/people/users.ts';
import { alertMailStage } from '../../harness/deliveries/alert-mails.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { aMember, aTenant } from '../../harness/tenants.ts';
import { pluck } from '../../harness/pluck.ts';

test('an unreachable mail server loses nothing and a refusal ends the email', async (t) => {
  let error: Error | undefined = new Error('The email was not sent: ECONNECTION');
  const fails = () => (error ? Promise.reject(error) : Promise.resolve());
  const { db, place, rule, activities, input, mails, due, organization, passWait } = await alertMailStage(t, fails);
  await rule();
  await anAlert(db, place);
  await activities.collectAlerts(input);
  t.is(await activities.mailAlerts(input), 'done');
  t.deepEqual(await due(), [], 'it waits');
  await passWait();
  t.deepEqual(await due(), [organization.publicId]);
  t.is(await activities.mailAlerts(input), 'done');
  const { attempt_count: attempts, next_attempt_at: next } = await db('alert_mails').first();
  t.is(attempts, 2);
  t.true(next.getTime() > Date.now() + 45_000, 'the second wait is longer');
  await passWait();
  error = new MailRefused('The mail server refused: EENVELOPE 550');
  t.is(await activities.mailAlerts(input), 'done');
  t.like(await db('alert_mails').first(), { sent_at: null });
  error = undefined;
  t.is(await activities.mailAlerts(input), 'done');
  t.is(mails.length, 0);
});

test('a mailbox that cannot be reached delays no other email', async (t) => {
  const full = new Set<string>();
  const fails = ({ to }: Mail) =>
    full.has(to) ? Promise.reject(new Error('The email was not sent: EENVELOPE 450')) : Promise.resolve();
  const { db, user, organization, place, rule, digest, mails } = await alertMailStage(t, fails);
  full.add(user.email);
  await rule();
  const other = await aMember(db, organization, 'admin');
  await rule({ user_id: other.id });
  await anAlert(db, place);
  t.is(await digest(), 'done');
  t.deepEqual(pluck(mails, 'to'), [other.email]);
});

test('a mail server that is down is not asked for every email', async (t) => {
  let sendCount = 0;
  const fails = () => (sendCount++, Promise.reject(new Error('The email was not sent: ECONNECTION')));
  const { db, organization, place, rule, activities, input } = await alertMailStage(t, fails);
  for (let n = 0; n < 5; n++) await rule({ user_id: (await aMember(db, organization, 'admin')).id });
  await anAlert(db, place);
  await activities.collectAlerts(input);
  await t.throwsAsync(activities.mailAlerts(input), { message: /ECONNECTION/ });
  t.is(sendCount, 3);
});

test('emails wait while no mail server is configured', async (t) => {
  const { db, place, rule, deps, input, due, organization, passWait } = await alertMailStage(t);
  await rule();
  await anAlert(db, place);
  const activities = createAlertActivities({ ...deps, mailer: null });
  await activities.collectAlerts(input);
  await t.throwsAsync(activities.mailAlerts(input), { message: /SMTP_URL/ });
  t.deepEqual(await due(), []);
  await passWait();
  t.deepEqual(await due(), [organization.publicId]);
});

test('organizations with unsent emails delay no others', async (t) => {
  const { db, place, rule, activities, input, organization } = await alertMailStage(t);
  await rule();
  await anAlert(db, place);
  await activities.collectAlerts(input);
  const { organization: other, workspace } = await aTenant(db);
  await anAlert(db, { organizationId: other.id, workspaceId: workspace.id });
  const due = await listDueDigests(db, { gatherMs: 0, intervalMs: 600_000, limit: 1 });
  t.deepEqual(due, [other.publicId, organization.publicId]);
});

test("an unsent email delays no email of the person's other organizations", async (t) => {
  const { db, place, user, rule, activities, input, mails } = await alertMailStage(t);
  await rule();
  await anAlert(db, place);
  await activities.collectAlerts(input);
  await db('alert_mails').update({ next_attempt_at: new Date(Date.now() + 3_600_000) });
  const { organization: other, workspace } = await aTenant(db);
  await setOrganizationRole(db, { organizationId: other.id, userId: user.id, role: 'admin' });
  await db('alert_rules').insert({ organization_id: other.id, user_id: user.id, min_severity: 'warning' });
  await anAlert(db, { organizationId: other.id, workspaceId: workspace.id });
  const ofOther = { ...input, organizationId: other.publicId };
  await activities.collectAlerts(ofOther);
  await activities.mailAlerts(ofOther);
  t.is(mails.length, 1);
});

test('an alert that ended before its email is in none', async (t) => {
  let isDown = true;
  const fails = () => (isDown ? Promise.reject(new Error('The email was not sent: ETIMEDOUT')) : Promise.resolve());
  const { db, place, rule, digest, mails, end, passTime, passWait } = await alertMailStage(t, fails);
  await rule();
  const ended = await anAlert(db, place);
  const open = await anAlert(db, { ...place, kind: 'destination.disabled' });
  await digest();
  await db('alerts')
    .where({ public_id: ended })
    .update({ resolved_at: new Date(Date.now() - 600_000), resolution: 'ended' });
  await passTime();
  await digest();
  t.is((await db('alert_mails')).length, 2, 'the end waits, because the start may still be sent');
  isDown = false;
  await passWait();
  await digest();
  await end(open);
  await passTime();
  await digest();
  t.deepEqual(pluck(mails, 'subject'), [
    'Acme: A destination was disabled (receiver example com)',
    'Acme: Resolved: A destination was disabled (receiver example com)',
  ]);
  t.false(mails.some(({ text }) => text.includes('paused')));
});

test('an end during the sending of its start is announced', async (t) => {
  const during: (() => Promise<unknown>)[] = [];
  const { db, place, rule, digest, mails, end, passTime } = await alertMailStage(
    t,
    async () => void (await during.pop()?.()),
  );
  await rule();
  const alert = await anAlert(db, place);
  during.push(async () => {
    await end(alert);
    await passTime();
    await digest();
  });
  await digest();
  await digest();
  t.deepEqual(pluck(mails, 'subject'), [
    'Acme: Deliveries to a destination are paused (receiver example com)',
    'Acme: Resolved: Deliveries to a destination are paused (receiver example com)',
  ]);
});
