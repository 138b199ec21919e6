import test from 'ava';
import { createApiShares } from '../../../api/requests/api-shares.ts';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { createApiMeter } from '../../../metrics/api-metrics.ts';
import { createHotPool } from '../../../db/core/hot-pool.ts';
import { testApi } from '../../harness/api/api.ts';
import { openEventStream } from '../../harness/connections/event-stream.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const secrets = { appSecrets: ['secret'], verifyToken: 'token' };

test('requests are counted by route and status, including webhooks and streams', async (t) => {
  const meter = createApiMeter();
  const slots = createApiShares().streams;
  meter.streams(() => slots.count());
  const pool = createHotPool({
    url: 'postgres://127.0.0.1:1/none',
    applicationName: 'test',
    connections: 1,
    onError: () => undefined,
  });
  t.teardown(() => pool.end());
  const events = createPlatformEvents({ pool, log: rememberingLog(), meter });
  const ingest = { events, ...secrets };
  const { db, url, refused, call } = await testApi(t, { meter, ingest, shares: { streams: slots } });
  const tenant = await aTenant(db);
  const channel = await aChannel(db, tenant.workspace);
  const access = { key: tenant.apiKey, workspace: tenant.workspace.publicId };
  await refused('DELIVERY_NOT_FOUND', 'GET /deliveries/wd_00000000', access);
  await refused('DELIVERY_NOT_FOUND', 'GET /deliveries/wd_00000001', access);
  await call('GET /nowhere/at/all');
  await fetch(`${url}/platform/webhooks`, { method: 'POST', body: '{}' });
  const stream = await openEventStream(t, `${url}/deliveries/stream?scope=channel:${channel.publicId}`, {
    authorization: `Bearer ${tenant.apiKey}`,
    'x-workspace-id': tenant.workspace.publicId,
  });
  await stream.next();
  t.true((await meter.register.expose()).includes('\nchannels_event_streams 1\n'));
  stream.close();
  const text = await eventually(async () => {
    const shown = await meter.register.expose();
    return shown.includes('route="/deliveries/stream"') && shown;
  });
  for (const line of [
    'channels_http_requests_total{method="GET",route="/deliveries/:wd",status="404"} 2',
    'channels_http_requests_total{method="GET",route="none",status="404"} 1',
    'channels_http_requests_total{method="POST",route="/platform/webhooks",status="401"} 1',
    'channels_http_requests_total{method="GET",route="/deliveries/stream",status="200"} 1',
    'channels_signatures_rejected_total 1',
    'channels_http_request_seconds_count 4',
  ]) {
    t.true(text.includes(`\n${line}\n`), `${line} in\n${text}`);
  }
});
