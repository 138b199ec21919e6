import test from 'ava';
import { insertTestCall } from '../../../db/alerts/alert-calls.ts';
import { collectDigest } from '../../../db/alerts/digests.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { anAlertWebhook } from '../../harness/deliveries/alert-webhooks.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

test('resolved alerts, digests, emails and calls are deleted after 90 days', async (t) => {
  const { db, tenant } = await tenantDatabase(t);
  const { organization, workspace, user } = tenant;
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  await db('alert_rules').insert({ organization_id: organization.id, user_id: user.id, min_severity: 'warning' });
  await anAlertWebhook(db, tenant);
  const ofAlert = (publicId: string) => db('alerts').where({ public_id: publicId });
  const old = await anAlert(db, place);
  const recent = await anAlert(db, place);
  const open = await anAlert(db, place);
  await collectDigest(db, { organizationPublicId: organization.publicId, intervalMs: 1_000 });
  await insertTestCall(db, place);
  await ofAlert(old).update({ resolved_at: daysAgo(91), resolution: 'ended' });
  await ofAlert(recent).update({ resolved_at: daysAgo(89), resolution: 'ended' });
  await ofAlert(open).update({ opened_at: daysAgo(200), last_seen_at: daysAgo(200) });
  const counts = async () => {
    const tables = ['alerts', 'alert_digests', 'alert_mails', 'notifications'];
    return await Promise.all(tables.map(async (table) => (await db(table)).length));
  };

  const remove = async () => {
    for (const task of ['alerts', 'alert_digests', 'notifications'] as const)
      await removeAllExpired(db, task, { cutoff: daysAgo(90) });
  };
  await ofAlert(old).update({ opened_at: daysAgo(92), last_seen_at: daysAgo(92) });
  await remove();
  t.deepEqual(await counts(), [2, 1, 1, 2], 'an open alert is kept, however old');

  await db('alert_digests').update({ created_at: daysAgo(91) });
  await db('notifications').update({ created_at: daysAgo(91) });
  await remove();
  t.deepEqual(await counts(), [2, 1, 1, 1], 'the end of an alert needs the records of its start');
  await db('alerts').update({ opened_at: daysAgo(92), resolved_at: daysAgo(91), resolution: 'ended' });
  await remove();
  t.deepEqual(await counts(), [0, 0, 0, 0]);
  t.is((await db('alert_webhooks')).length, 1);
});
