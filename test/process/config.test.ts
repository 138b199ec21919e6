import test from 'ava';
import { describeConfig, readConfig } from '../../process/config.ts';
import { defaultRetryScheduleMs } from '../../contract/deliveries/retry-schedule.ts';

const key = Buffer.alloc(32, 7).toString('base64');

test('an empty environment is a valid configuration', (t) => {
  const reading = readConfig({});

  t.true(reading.ok);
  if (!reading.ok) return;
  t.is(reading.config.apiPort, 3000);
  t.is(reading.config.deployment, 'production');
  t.is(reading.config.databaseUrl, undefined);
  t.deepEqual(reading.config.egressAllowCidrs, []);
  t.deepEqual(reading.config.retryScheduleMs, [...defaultRetryScheduleMs]);
});

test('all problems are reported with their settings', (t) => {
  const reading = readConfig(
    { API_PORT: 'many', DELIVERY_SHARDS: '0', BASE_URL: 'localhost', LOG_LEVEL: 'loud' },
    { required: ['databaseUrl'] },
  );

  t.false(reading.ok);
  if (reading.ok) return;
  const named = reading.problems.map((problem) => problem.split(' ')[0]);
  t.deepEqual(named.toSorted(), ['API_PORT', 'BASE_URL', 'DATABASE_URL', 'DELIVERY_SHARDS', 'LOG_LEVEL']);
});

test('a problem with a secret does not reveal it', (t) => {
  const reading = readConfig({ ENCRYPTION_KEYS: 'first:hunter2', DATABASE_URL: 'mysql://me:hunter2@db/x' });

  t.false(reading.ok);
  if (!reading.ok) t.notRegex(reading.problems.join('\n'), /hunter2/);
});

test('an empty setting counts as unset', (t) => {
  const reading = readConfig({ API_PORT: '', DATABASE_URL: ' ' });

  t.true(reading.ok);
  if (!reading.ok) return;
  t.is(reading.config.apiPort, 3000);
  t.is(reading.config.databaseUrl, undefined);
});

test('the first encryption key is active, and ids are unique', (t) => {
  const ring = readConfig({ ENCRYPTION_KEYS: `new:${key}, old:${key}` });
  const twice = readConfig({ ENCRYPTION_KEYS: `one:${key},one:${key}` });

  t.true(ring.ok);
  if (ring.ok)
    t.deepEqual(
      ring.config.encryptionKeys?.map(({ id, bytes }) => [id, bytes.length]),
      [
        ['new', 32],
        ['old', 32],
      ],
    );
  t.false(twice.ok);
});

test('private addresses are allowed by address or range', (t) => {
  const reading = readConfig({ EGRESS_ALLOW_CIDRS: '127.0.0.1, 10.0.0.0/8 , fd00::/8' });

  t.true(reading.ok);
  if (reading.ok) t.deepEqual(reading.config.egressAllowCidrs, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
  for (const text of ['10.0.0.0/33', 'localhost', '10.0.0']) t.false(readConfig({ EGRESS_ALLOW_CIDRS: text }).ok);
});

test('a retry schedule is in seconds, with fractions', (t) => {
  const reading = readConfig({ RETRY_SCHEDULE_SECONDS: '0.25, 5,30' });

  t.true(reading.ok);
  if (reading.ok) t.deepEqual(reading.config.retryScheduleMs, [250, 5_000, 30_000]);
});

test('container checks have delays of up to five minutes', (t) => {
  const reading = readConfig({ CONTAINER_POLL_SECONDS: '0.5, 300' });
  t.true(reading.ok);
  if (reading.ok) t.deepEqual(reading.config.pollScheduleMs, [500, 300_000]);
  for (const unusable of ['0', '60,301', ''])
    t.is(readConfig({ CONTAINER_POLL_SECONDS: unusable }).ok, unusable === '');
});

test('the simulator posts to the API by default', (t) => {
  const reading = readConfig({ BASE_URL: 'https://api.example.test/' });

  t.true(reading.ok);
  if (!reading.ok) return;
  t.is(reading.config.baseUrl, 'https://api.example.test');
  t.is(reading.config.platformWebhookUrl, 'https://api.example.test/platform/webhooks');
});

test('the app secret is a list of at most eight', (t) => {
  const secretsOf = (value: string) => {
    const reading = readConfig({ PLATFORM_APP_SECRET: value });
    return reading.ok ? reading.config.platformAppSecrets : reading.problems.join();
  };
  t.deepEqual(secretsOf('new'), ['new']);
  t.deepEqual(secretsOf(' new , old,'), ['new', 'old']);
  t.regex(String(secretsOf(',')), /PLATFORM_APP_SECRET.*at least one secret/);
  t.regex(String(secretsOf('1,2,3,4,5,6,7,8,hunter2')), /^[^2]*at most 8 secrets$/);
});

test('the description of the configuration hides secrets', (t) => {
  const reading = readConfig({ PLATFORM_APP_SECRET: 'hunter2', DATABASE_URL: 'postgres://me:hunter2@db/x' });

  t.true(reading.ok);
  if (!reading.ok) return;
  const description = describeConfig(reading.config);
  t.like(description, { platformAppSecrets: true, databaseUrl: true, platformVerifyToken: false, apiPort: 3000 });
  t.notRegex(JSON.stringify(description), /hunter2/);
});
