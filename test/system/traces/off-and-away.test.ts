import test from 'ava';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { pluck } from '../../harness/pluck.ts';
import { connectedWith } from '../../harness/system/connected.ts';

/** Reports each loaded file of the tracing packages in a line of the process. */
const watchLoads = `
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (url.includes('opentelemetry')) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  } });`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(watchLoads)}`;
const isLoad = (line: string): boolean => line.includes('| loaded ');

test('without an endpoint no process loads the tracing packages', async (t) => {
  const system = await startSystem(t, { gateways: 1, env: { NODE_OPTIONS } });
  const { connected, hook, sender } = await connectedWith(t, system);
  await sender.message(connected);
  const [deliveryId] = await untilStatuses(system.api, { channel: connected, statuses: ['delivered'] });

  t.is((await system.api.call(`GET /deliveries/${deliveryId}`)).body.traceId, null);
  t.deepEqual(
    hook.deliveries().map(({ headers }) => headers['traceparent']),
    [undefined],
  );
  t.deepEqual(system.lines.filter(isLoad), []);
});

test('a collector that is away delays and loses nothing but spans', async (t) => {
  const env = { NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_SAMPLER: 'always_on' };
  const system = await startSystem(t, { env });
  const { connected, sender } = await connectedWith(t, system);
  await sender.message(connected);
  await untilStatuses(system.api, { channel: connected, statuses: ['delivered'] });
  const warnings = () => system.lines.filter((line) => line.includes('"traces.exportFailed"'));
  const isWarned = (kind: string): boolean => warnings().some((line) => line.startsWith(kind));
  await until(() => isWarned('api') && isWarned('worker'), { for: 'The warnings of both processes' });

  await sender.message(connected);
  await untilStatuses(system.api, { channel: connected, statuses: ['delivered', 'delivered'] });
  const ends = await Promise.all([...system.workers, ...system.apis].map((one) => one.stop()));

  t.deepEqual(pluck(ends, 'code'), [0, 0]);
  t.true(system.lines.some(isLoad), 'loads are seen');
  t.regex(warnings()[0]!, /"reason":"ECONNREFUSED"/);
});
