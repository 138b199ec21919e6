import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readConfig } from '../../process/config.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';

const refused: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
  [{ DELIVERY_TIMEOUT_MS: '12001' }, /^DELIVERY_TIMEOUT_MS \(12001\) must be at most 12000, .* ends after 15000 ms/],
  [
    { RETRY_SCHEDULE_SECONDS: '5,691200', RETENTION_DAYS: '8' },
    /^RETRY_SCHEDULE_SECONDS \(691205 .* RETENTION_DAYS \(8\)/,
  ],
  [
    { CIRCUIT_PROBE_SECONDS: '3600,60', FAILING_DISABLE_HOURS: '1' },
    /^CIRCUIT_PROBE_SECONDS \(up to 3600\) .* FAILING_DISABLE_HOURS \(1\)/,
  ],
  [
    { SHUTDOWN_GRACE_SECONDS: '4', DELIVERY_TIMEOUT_MS: '9001' },
    /^SHUTDOWN_GRACE_SECONDS \(4\) must be at least 5, .* DELIVERY_TIMEOUT_MS \(9001\)/,
  ],
];

for (const [env, problem] of refused) {
  test(`${Object.keys(env).join(' and ')} are refused together`, (t) => {
    const reading = readConfig(env);
    t.false(reading.ok);
    if (reading.ok) return;
    t.is(reading.problems.length, 1);
    t.regex(reading.problems[0]!, problem);
  });
}

const accepted: readonly Readonly<Record<string, string>>[] = [
  { DELIVERY_TIMEOUT_MS: '12000' },
  { RETRY_SCHEDULE_SECONDS: '691200', RETENTION_DAYS: '8' },
  { CIRCUIT_PROBE_SECONDS: '3599', FAILING_DISABLE_HOURS: '1' },
  { SHUTDOWN_GRACE_SECONDS: '4', DELIVERY_TIMEOUT_MS: '9000' },
];

for (const env of accepted) {
  test(`${JSON.stringify(env)} is accepted`, (t) => {
    t.true(readConfig(env).ok);
  });
}

test('an invalid setting is reported before conflicts', (t) => {
  const reading = readConfig({ DELIVERY_TIMEOUT_MS: '12001', API_PORT: 'many' });
  t.false(reading.ok);
  if (!reading.ok) t.deepEqual([...new Set(reading.problems.map((line) => line.split(' ')[0]))], ['API_PORT']);
});

test('the time-outs of activities with requests are the ones compared', (t) => {
  const timeoutsIn = (path: string): (string | undefined)[] =>
    [...readFileSync(join(projectRoot, path), 'utf8').matchAll(/startToCloseTimeout: '(\w+)'/g)].map(
      ([, each]) => each,
    );
  t.is(timeoutsIn('workflows/deliveries/deliver-webhook.ts')[0], '60s');
  t.is(timeoutsIn('workflows/webhooks/save-webhook.ts')[0], '15s');
  t.is(timeoutsIn('workflows/destinations/send-test-event.ts')[0], '12s');
});

test("a worker's time beyond its grace is the one compared", (t) => {
  const text = readFileSync(join(projectRoot, 'worker/run-worker.ts'), 'utf8');
  t.is(/FORCE_AFTER_GRACE_MS = (\w+);/.exec(text)?.[1], '5_000');
});
