import test from 'ava';
import { InstallationFault, NotSent } from '../../../activities/deliveries/send-delivery.ts';
import { countAttempts } from '../../../activities/deliveries/observe-attempts.ts';
import { createWorkerMeter } from '../../../metrics/worker-metrics.ts';
import { eventually } from '../../harness/eventually.ts';
import { anItem, accepted } from '../../harness/deliveries/hot-ledger.ts';
import { pumpStage } from '../../harness/deliveries/pump-stage.ts';

test('attempts, deliveries and the time since acceptance are counted', async (t) => {
  const stage = await pumpStage(t);
  const meter = createWorkerMeter();
  const outcomes = ['accepted', 'rejected'] as const;
  let sent = 0;
  stage.startPump({
    meter,
    sendDelivery: countAttempts(
      (_delivery, number) =>
        Promise.resolve({
          number,
          startedAtMs: Date.now(),
          durationMs: 20,
          outcome: outcomes[sent++ % 2]!,
          status: 200,
          responseHeaders: null,
          responseBody: null,
          error: null,
        }),
      meter,
    ),
  });
  await accepted(stage.pool, [anItem({ conversationKey: 1 }), anItem({ conversationKey: 2 })]);
  const text = await eventually(async () => {
    const shown = await meter.register.expose();
    return shown.includes('status="retrying"} 1') && shown.includes('status="delivered"} 1') && shown;
  });
  for (const line of [
    'channels_attempts_total{outcome="accepted"} 1',
    'channels_attempts_total{outcome="rejected"} 1',
    'channels_attempt_seconds_bucket{outcome="accepted",le="0.025"} 1',
    'channels_delivery_seconds_count 1',
    'channels_deliveries_total{status="exhausted"} 0',
  ]) {
    t.true(text.includes(`\n${line}\n`), `${line} in\n${text}`);
  }
});

const delivery = {
  id: 1,
  eventId: 1,
  destinationId: 1,
  channelId: 'ch_00000000',
  workspaceId: 'wks_00000000',
  eventType: 'chatapp.message.received',
  url: 'https://a.example.com/',
  sealedSecrets: [],
  body: Buffer.from('{}'),
  traceParent: null,
  sendsTraceParent: true,
} as const;

test('an internal error is counted as such and not as an attempt', async (t) => {
  const meter = createWorkerMeter();
  const fault = new InstallationFault({ error: 'own_fault', detail: 'no sockets' });
  const send = countAttempts(() => Promise.reject(fault), meter);
  t.is(await t.throwsAsync(send(delivery, 1)), fault);
  const text = await meter.register.expose();
  t.true(text.includes('\nchannels_own_faults_total 1\n'));
  t.false(text.includes('channels_attempts_total{'));
});

test('a request without a connection is no internal error', async (t) => {
  const meter = createWorkerMeter();
  const send = countAttempts(() => Promise.reject(new NotSent('waited_too_long')), meter);
  await t.throwsAsync(send(delivery, 1), { instanceOf: InstallationFault });
  t.true((await meter.register.expose()).includes('\nchannels_own_faults_total 0\n'));
});
