import test from 'ava';
import { createGatewayMeter } from '../../metrics/gateway-metrics.ts';
import { listenerWarnings } from '../harness/connections/listener-warnings.ts';
import { allTraces } from '../harness/traces/all-traces.ts';
import { startStage } from './stage.ts';

test('a measured and traced file has few listeners', async (t) => {
  const warnings = listenerWarnings(t);
  const picture = { text: Buffer.alloc(1_000, 7), headers: { 'content-type': 'image/png' } };
  const script = { 'GET /1000': picture };
  const { call } = await startStage(t, { script, meter: createGatewayMeter(), traces: allTraces });

  const { status, headers } = await call('GET /platform/v25.0/1000');

  t.is(status, 200);
  t.is(headers['content-type'], 'image/png');
  t.deepEqual(warnings, []);
});
