import test from 'ava';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

test('scheduled checks find a fault, and its alert ends with it', async (t) => {
  const env = { CHANNEL_HEALTH_HOURS: '1', ALERT_GATHER_SECONDS: '1' };
  const { api, channel, db, platform, temporal, tenant, workers } = await startSystem(t, { env });
  const { publicId, resourceId, id } = await channel();
  const healthOf = async () => (await api.call(`GET /channels/${publicId}/health`)).body;
  const alerts = async (status: string) =>
    (await api.call(`GET /organizations/${tenant.organization.publicId}/alerts?kind=channel.health&status=${status}`))
      .body.alerts;
  const schedule = temporal.schedule.getHandle('channel-health');
  await until(async () => await schedule.describe().then(() => true, () => false), { for: 'The schedule' }); // prettier-ignore
  platform.consent({ numberFacts: { [resourceId]: { quality: 'RED' } } });

  await workers[0]!.kill9();
  await schedule.trigger();
  await workers[0]!.start();
  await until(async () => (await healthOf()).status === 'failing', { for: 'The check' });
  t.like(await healthOf(), { quality: 'low', reasons: [{ code: 'quality_low' }] });
  const [alert] = await until(async () => (await alerts('open')).length > 0 && (await alerts('open')), {
    for: 'The alert',
  });
  t.like(alert, { kind: 'channel.health', channelId: publicId });
  t.regex(alert.description, /quality rating is low/);

  platform.consent({ numberFacts: {} });
  await db('channel_health')
    .where({ channel_id: id })
    .update({ checked_at: new Date(Date.now() - 120_000) });
  await api.callUntilDone(`POST /channels/${publicId}/health/refresh`);
  // The answer to a refresh that takes too long is the health before it.
  const now = await until(async () => (await healthOf()).status === 'healthy' && (await healthOf()), { for: 'health' });
  t.like(now, { quality: 'high', lastFailure: null });
  await until(async () => (await alerts('resolved')).length > 0, { for: 'The end of the alert' });
});
