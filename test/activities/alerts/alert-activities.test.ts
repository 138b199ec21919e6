import test from 'ava';
import { reconcileAlerts } from '../../../db/alerts/reconcile-alerts.ts';
import { alertMailStage } from '../../harness/deliveries/alert-mails.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { aChannel, aMember } from '../../harness/tenants.ts';
import { pluck } from '../../harness/pluck.ts';

test('one email announces several alerts and one more their end', async (t) => {
  const { db, place, rule, digest, mails, user, end, passTime, due, organization } = await alertMailStage(t);
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

test('the email of one alert names it and links to its page', async (t) => {
  const { db, place, workspace, organization, rule, digest, mails } = await alertMailStage(t);
  await rule();
  const channel = await aChannel(db, workspace);
  await anAlert(db, { ...place, channelId: channel.id, kind: 'destination.disabled' });
  await digest();
  const { subject, html, text } = mails[0]!;
  t.is(subject, 'Acme: A destination was disabled (receiver example com)');
  const url = `https://api.example.com/app/${organization.publicId}`;
  t.true(html.includes(`href="${url}/${workspace.publicId}/channels/${channel.publicId}/webhook"`));
  t.true(text.includes(`Choose what you get by email: ${url}/alerts`));
  t.regex(html, /<a[^>]* href="https:[^"]*\/alerts"[^>]*>Choose what you get by email</);
  t.regex(html, /class="item bad" style="border-left: 3px solid #b3231f/);
  t.regex(text, /\n {2}Began [A-Z][a-z]{2} \d{1,2}, \d{4} at \d\d:\d\d UTC\.\n/);
});

test('the email about the end of one alert says "Resolved"', async (t) => {
  const { db, place, rule, digest, mails, end, passTime } = await alertMailStage(t);
  await rule();
  const alert = await anAlert(db, place);
  await digest();
  await end(alert);
  await passTime();
  await digest();
  const { subject, html, text } = mails[1]!;
  t.is(subject, 'Acme: Resolved: Deliveries to a destination are paused (receiver example com)');
  t.true(html.includes('class="item good"'));
  t.true(text.includes('\n  Began '));
});

test('a thousand destinations that fail at once make one email', async (t) => {
  const { db, workspace, rule, digest, mails } = await alertMailStage(t);
  await rule();
  const channel = await aChannel(db, workspace);
  await db.raw(
    `insert into destinations (channel_id, type, url, event_types, circuit, circuit_reason, circuit_opened_at,
       circuit_probe_at)
     select ?, 'subscription', 'https://r' || n || '.example.com/hook', '{}', 'open', 'failures',
       now() - interval '1 hour', now() from generate_series(1, 1000) n`,
    [channel.id],
  );
  const limits = { circuitOpenMs: 600_000, credentialEndsMs: 0 };
  t.deepEqual(await reconcileAlerts(db, limits), { openedCount: 1_000, resolvedCount: 0 });
  await digest();
  await digest();
  t.deepEqual(pluck(mails, 'subject'), ['Acme: 1,000 alerts']);
  t.true(mails[0]?.text.includes('And 980 more.'));
});

test('people get the severities, kinds and workspaces that they chose', async (t) => {
  const { db, organization, workspace, place, rule, digest, mails } = await alertMailStage(t);
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
  t.deepEqual(pluck(mails, 'to'), [wants.email]);
});

test('muted and acknowledged alerts make no email', async (t) => {
  const { db, place, rule, digest, mails, end, passTime } = await alertMailStage(t);
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

test('two runs at once gather once and send one email', async (t) => {
  const { db, place, rule, activities, input, mails } = await alertMailStage(t);
  await rule();
  await anAlert(db, place);
  await Promise.all([activities.collectAlerts(input), activities.collectAlerts(input)]);
  t.is((await db('alert_digests')).length, 1);
  await Promise.all([activities.mailAlerts(input), activities.mailAlerts(input)]);
  t.is(mails.length, 1);
});

for (const [label, shown] of [
  ['Shop\r\nVisit https://evil.example', 'Shop Visit https: evil example'],
  ['evil.example/login', 'evil example login'],
  ['boss@evil．example tel:18001234567', 'boss evil example tel …67'],
  ['+1 (555) 0100-200 of Acme', '…00 of Acme'],
  ['127.0.0.1:5401 of Demo number', '127.0.0.1:5401 of Demo number'],
  ['[2001:db8::15550]:18443 of Demo number', '[2001:db8::15550]:18443 of Demo number'],
  ['localhost:55001 of Sunrise Bakery +1 555 010 0211', 'localhost:55001 of Sunrise Bakery …11'],
  ['r12345.example.com:18443 of Demo number', 'r12345 example com:18443 of Demo number'],
  ['1-800-555-0100.example.com of Demo number', '…00 example com of Demo number'],
  ['receiver.example.com of Müller & Söhne (2).', 'receiver example com of Müller & Söhne (2).'],
] as const) {
  test(`an email shows the label ${JSON.stringify(label)} without links`, async (t) => {
    const { db, place, rule, digest, mails } = await alertMailStage(t);
    await rule();
    await anAlert(db, { ...place, label });
    await digest();
    t.true(mails[0]?.text.includes(`\n  ${shown} keeps failing`), mails[0]?.text);
    t.true(mails[0]?.subject.endsWith(`(${shown})`));
  });
}
