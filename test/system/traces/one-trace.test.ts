import test, { type ExecutionContext } from 'ava';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';
import { startSystem } from '../../harness/system/system.ts';
import { type CollectedSpan, startCollector } from '../../harness/traces/otlp-collector.ts';
import { spanPath } from '../../harness/traces/span-path.ts';
import { tracedEnv } from '../../harness/traces/traced-env.ts';
import { until } from '../../harness/until.ts';
import { pluck } from '../../harness/pluck.ts';
import { connectedWith } from '../../harness/system/connected.ts';

const PUMP_ATTEMPTS = 3;
const BY_WORKFLOW = 'RunWorkflow:deliverWebhook';

test('one trace shows an event from its acceptance to its delivery', async (t) => {
  const { all, spans, traceId, hook, lines } = await deliverByWorkflow(t);

  const attempts = namedOf(spans, 'delivery.attempt');
  const story = attempts.map(({ attributes }) => [attributes['delivery.attempt'], attributes['delivery.outcome']]);
  t.deepEqual(story, [...[1, 2, 3].map((number) => [number, 'rejected']), [4, 'accepted']]);
  t.deepEqual(
    hook.deliveries().map(({ headers }) => headers['traceparent']),
    attempts.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  const [request] = namedOf(spans, 'webhook.receive');
  t.is(request?.parentSpanId, null);
  t.deepEqual(
    pluck(namedOf(spans, 'delivery.claim'), 'parentSpanId'),
    attempts.slice(0, PUMP_ATTEMPTS).map(() => request?.spanId),
  );
  t.deepEqual(spanPath(spans, attempts.at(-1)!), [
    'delivery.attempt',
    'RunActivity:attemptDelivery',
    'StartWorkflow:deliverWebhook',
    'webhook.receive',
  ]);
  t.deepEqual(spanPath(spans, namedOf(spans, BY_WORKFLOW)[0]!), [
    BY_WORKFLOW,
    'StartWorkflow:deliverWebhook',
    'webhook.receive',
  ]);
  const [commit] = namedOf(spans, 'events.commit');
  const batch = namedOf(all, 'events.commitBatch').find(({ links }) =>
    links.some(({ spanId }) => spanId === commit?.spanId),
  );
  t.is(batch?.parentSpanId, null);
  t.not(batch?.traceId, traceId);
  t.deepEqual(commit?.links, [{ traceId: batch?.traceId, spanId: batch?.spanId }]);
  const attempted = () => lines.filter((line) => line.includes('"delivery.attempted"'));
  const logged = await until(() => attempted().length >= attempts.length && attempted(), { for: 'The lines' });
  t.deepEqual(
    logged.map((line) => line.includes(`"traceId":"${traceId}"`)),
    attempts.map(() => true),
  );
});

/** The pump makes the first attempts, and a workflow the last. */
async function deliverByWorkflow(t: ExecutionContext) {
  const collector = await startCollector(t);
  const env = { ...tracedEnv(collector), RETRY_SCHEDULE_SECONDS: '0.2,0.2,0.2,0.2,0.2' };
  const system = await startSystem(t, { env });
  const answers = Array.from({ length: PUMP_ATTEMPTS }, () => ({ status: 503 }));
  const { connected, hook, sender } = await connectedWith(t, system, { answers });

  await sender.message(connected);
  const [deliveryId] = await untilStatuses(system.api, { channel: connected, statuses: ['delivered'] });
  const traceId: string = (await system.api.call(`GET /deliveries/${deliveryId}`)).body.traceId;
  const ofTrace = (spans: readonly CollectedSpan[]) => spans.filter((span) => span.traceId === traceId);
  // Each process exports its spans in batches.
  const wholeTrace = [BY_WORKFLOW, 'RunActivity:attemptDelivery', 'webhook.receive', 'events.commit'];
  const isComplete = (spans: readonly CollectedSpan[]): boolean =>
    wholeTrace.every((wanted) => ofTrace(spans).some(({ name }) => name === wanted)) &&
    spans.some(({ name, links }) => name === 'events.commitBatch' && links.some((link) => link.traceId === traceId)) &&
    namedOf(ofTrace(spans), 'delivery.attempt').length > PUMP_ATTEMPTS;
  const all = await collector.untilSpans(isComplete, 'The whole trace');
  return { all, spans: ofTrace(all), traceId, hook, lines: system.lines };
}

function namedOf(spans: readonly CollectedSpan[], wanted: string): readonly CollectedSpan[] {
  const number = ({ attributes }: CollectedSpan): number => Number(attributes['delivery.attempt'] ?? 0);
  return spans.filter(({ name }) => name === wanted).toSorted((a, b) => number(a) - number(b));
}
