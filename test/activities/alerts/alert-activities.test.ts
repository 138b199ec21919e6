import test, { type ExecutionContext } from 'ava';
import { createAlertActivities } from '../../../activities/alerts/alert-activities.ts';
import { type Mail, MailRefused, type Mailer } from '../../../activities/people/mailer.ts';
import { reconcileAlerts } from '../../../db/alerts/reconcile-alerts.ts';
import { listDueDigests } from '../../../db/alerts/digests.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aMember, aTenant } from '../../harness/tenants.ts';

async function stage(t: ExecutionContext, send: (mail: Mail) => Promise<void> = () => Promise.resolve()) {
  const { db } = await testDatabase(t);
  const tenant = await aTenant(db);
  const { organization, workspace, user } = tenant;
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  const mails: Mail[] = [];
  const mailer: Mailer = {
    send: async (mail) => {
      await send(mail);
      mails.push(mail);
    },
    close: () => undefined,
  };
  const deps = { db, mailer, baseUrl: 'https://api.example.com', log: rememberingLog() };
  const activities = createAlertActivities(deps);
  const input = { organizationId: organization.publicId, intervalMs: 600_000 };
  return {
    ...tenant,
    ...{ db, place, mails, activities, deps, input },
    rule: (values: object = {}) =>
      db('alert_rules').insert({
        organization_id: organization.id,
        user_id: user.id,
        min_severity: 'warning',
        ...values,
      }),
    digest: async () => {
      await activities.collectAlerts(input);
      return await activities.mailAlerts(input);
    },
    passTime: () => db('alert_digests').update({ created_at: new Date(Date.now() - 86_400_000) }),
    end: (publicId: string, resolution = 'ended') =>
      db('alerts').where({ public_id: publicId }).update({ resolved_at: new Date(), resolution }),
    due: () => listDueDigests(db, { gatherMs: 0, intervalMs: 600_000, limit: 10 }),
  };
}

test('one email announces several alerts and one more their end', async (t) => {
  const { db, place, rule, digest, mails, user, end, passTime, due, organization } = await stage(t);
  await rule();
  const alerts = [await anAlert(db, place), await anAlert(db, { ...place, kind: 'destination.disabled' })];
  t.deepEqual(await due(), [organization.publicId]);
  t.is(await digest(), 'done');
  t.is(await digest(), 'done', 'a repeat sends nothing');
  t.is(mails.length, 1);
  const [mail] = mails;
  t.is(mail?.to, user.email);
  t.is(mail?.subject, 'Acme: 2 alerts');
  t.regex(
    mail?.text ?? '',
    /critical: A destination was disabled[\s\S]*warning: Deliveries to a destination are paused/,
  );
  t.true(mail?.text.includes(`https://api.example.com/app/${organization.publicId}/alerts`));
  t.deepEqual(await due(), []);

  for (const alert of alerts) await end(alert);
  t.deepEqual(await due(), [], 'the next digest waits');
  await passTime();
  t.deepEqual(await due(), [organization.publicId]);
  await digest();
  t.is(mails.length, 2);
  t.is(mails[1]?.subject, 'Acme: 2 alerts are over');
  await passTime();
  t.deepEqual(await due(), []);
});

test('a thousand destinations that fail at once make one email', async (t) => {
  const { db, workspace, rule, digest, mails } = await stage(t);
  await rule();
  const channel = await aChannel(db, workspace);
  await db.raw(
    `insert into destinations (channel_id, type, url, event_types, shard, circuit, circuit_reason, circuit_opened_at,
       circuit_probe_at)
     select ?, 'subscription', 'https://r' || n || '.example.com/hook', '{}', 0, 'open', 'failures',
       now() - interval '1 hour', now() from generate_series(1, 1000) n`,
    [channel.id],
  );
  const limits = { circuitOpenMs: 600_000, credentialEndsMs: 0 };
  t.deepEqual(await reconcileAlerts(db, limits), { openedCount: 1_000, resolvedCount: 0 });
  await digest();
  await digest();
  t.deepEqual(
    mails.map(({ subject }) => subject),
    ['Acme: 1,000 alerts'],
  );
  t.true(mails[0]?.text.includes('And 980 more.'));
});

test('people get the severities, kinds and workspaces that they chose', async (t) => {
  const { db, organization, workspace, place, rule, digest, mails } = await stage(t);
  const person = async (values: object) => {
    const { id, email } = await aMember(db, organization, 'member');
    await db('workspace_members').insert({ workspace_id: workspace.id, user_id: id, role: 'member' });
    await rule({ user_id: id, ...values });
    return { id, email };
  };
  await person({ min_severity: 'critical' });
  await person({ kinds: ['replay.failed'] });
  const wants = await person({ kinds: ['destination.circuit_open'], workspace_id: workspace.id });
  const removed = await person({});
  await db('workspace_members').where({ user_id: removed.id }).delete();
  await anAlert(db, place);
  await digest();
  t.deepEqual(
    mails.map(({ to }) => to),
    [wants.email],
  );
});

test('muted and acknowledged alerts make no email', async (t) => {
  const { db, place, rule, digest, mails, end, passTime } = await stage(t);
  await rule();
  const soon = new Date(Date.now() + 3_600_000);
  const muted = await anAlert(db, place);
  await db('alerts').where({ public_id: muted }).update({ muted_until: soon });
  const known = await anAlert(db, place);
  await db('alerts')
    .where({ public_id: known })
    .update({ acknowledged_at: new Date(), acknowledged_by: 'usr_00000000' });
  await digest();
  t.is(mails.length, 0);
  await db('alerts').where({ public_id: muted }).update({ muted_until: null });
  await digest();
  t.is(mails.length, 1, 'an unmuted alert is announced');
  await passTime();
  await end(muted, 'acknowledged');
  await digest();
  t.is(mails.length, 1, 'its acknowledgement is not');
});

test('an unreachable mail server loses nothing and a refusal ends the email', async (t) => {
  let error: Error | undefined = new Error('The email was not sent: ECONNECTION');
  const fails = () => (error ? Promise.reject(error) : Promise.resolve());
  const { db, place, rule, activities, input, mails, due, organization } = await stage(t, fails);
  await rule();
  await anAlert(db, place);
  await activities.collectAlerts(input);
  await t.throwsAsync(activities.mailAlerts(input), { message: /ECONNECTION/ });
  t.deepEqual(await due(), [organization.publicId]);
  error = new MailRefused('The mail server refused: EENVELOPE 550');
  t.is(await activities.mailAlerts(input), 'done');
  t.like(await db('alert_mails').first(), { sent_at: null });
  error = undefined;
  t.is(await activities.mailAlerts(input), 'done');
  t.is(mails.length, 0);
});

test('two runs at once gather once and send one email', async (t) => {
  const { db, place, rule, activities, input, mails } = await stage(t);
  await rule();
  await anAlert(db, place);
  await Promise.all([activities.collectAlerts(input), activities.collectAlerts(input)]);
  t.is((await db('alert_digests')).length, 1);
  await Promise.all([activities.mailAlerts(input), activities.mailAlerts(input)]);
  t.is(mails.length, 1);
});

test('labels cannot add lines or links', async (t) => {
  const { db, place, rule, digest, mails } = await stage(t);
  await rule();
  await anAlert(db, { ...place, label: 'Shop\r\nVisit https://evil.example' });
  await digest();
  t.false(/^Visit|https:\/\/evil/m.test(mails[0]?.text ?? ''));
});
