import test from 'ava';
import { createApiMeter } from '../../../metrics/api-metrics.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { initialize, postMcp } from '../../harness/api/mcp.ts';
import { openEventStream } from '../../harness/connections/event-stream.ts';
import { listenerWarnings } from '../../harness/connections/listener-warnings.ts';
import { allTraces } from '../../harness/traces/all-traces.ts';

test('a measured and traced response has few listeners', async (t) => {
  const warnings = listenerWarnings(t);
  const { url, workspace, apiKey } = await tenantStage(t, { meter: createApiMeter(), traces: allTraces });

  t.is((await postMcp(url, initialize, { 'x-api-key': apiKey })).status, 200);
  const stream = await openEventStream(t, `${url}/deliveries/stream?scope=workspace:${workspace.publicId}`, {
    authorization: `Bearer ${apiKey}`,
    'x-workspace-id': workspace.publicId,
  });
  t.truthy(await stream.next());
  stream.close();

  t.deepEqual(warnings, []);
});
