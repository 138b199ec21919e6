import test from 'ava';
import { createApiMeter } from '../../../metrics/api-metrics.ts';
import { testApi } from '../../harness/api/api.ts';
import { initialize, postMcp } from '../../harness/api/mcp.ts';
import { openEventStream } from '../../harness/connections/event-stream.ts';
import { listenerWarnings } from '../../harness/connections/listener-warnings.ts';
import { aTenant } from '../../harness/tenants.ts';
import { allTraces } from '../../harness/traces/all-traces.ts';

test('a measured and traced response has few listeners', async (t) => {
  const warnings = listenerWarnings(t);
  const { db, url } = await testApi(t, { meter: createApiMeter(), traces: allTraces });
  const { workspace, apiKey } = await aTenant(db);

  t.is((await postMcp(url, initialize, { 'x-api-key': apiKey })).status, 200);
  const stream = await openEventStream(t, `${url}/deliveries/stream?scope=workspace:${workspace.publicId}`, {
    ...{ authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspace.publicId },
  });
  t.truthy(await stream.next());
  stream.close();

  t.deepEqual(warnings, []);
});
