import { readFileSync } from 'node:fs';
import test from 'ava';
import { type Setting, settings } from '../../process/settings.ts';
import { type ConfigOf, describeConfig, readConfig } from '../../process/config.ts';
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
    { API_PORT: 'many', BASE_URL: 'localhost', LOG_LEVEL: 'loud', RETENTION_DAYS: '0' },
    { required: ['databaseUrl'] },
  );

  t.false(reading.ok);
  if (reading.ok) return;
  const named = reading.problems.map((problem) => problem.split(' ')[0]);
  t.deepEqual(named.toSorted(), ['API_PORT', 'BASE_URL', 'DATABASE_URL', 'LOG_LEVEL', 'RETENTION_DAYS']);
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

/** Read by an SDK, or by the part of a process that sends traces. */
const readElsewhere = /^(?:temporalAddress|temporalNamespace|otlp|otel|tracesSampler)/;

test('each program reads the settings that the table names for it', (t) => {
  for (const program of ['api', 'worker', 'gateway', 'simulator'] as const) {
    const text = readFileSync(new URL(`../../${program}/main.ts`, import.meta.url), 'utf8');
    const unread = Object.entries<Setting>(settings).flatMap(([key, { readers }]) =>
      readers.includes(program) && !readElsewhere.test(key) && !new RegExp(`\\b${key}\\b`).test(text) ? [key] : [],
    );
    t.deepEqual(unread, [], program);
  }
});

test('a program ignores the settings of the others', (t) => {
  const reading = readConfig({ SMTP_URL: 'none', API_PORT: 'many', GATEWAY_PORT: '4000' }, { reader: 'gateway' });
  t.true(reading.ok);
  if (!reading.ok) return;
  t.is(reading.config.gatewayPort, 4000);
  t.false('smtpUrl' in reading.config);
  const own: ConfigOf<'gateway'> = reading.config;
  // @ts-expect-error The gateway sends no mail.
  t.is(own.smtpUrl, undefined);
});
