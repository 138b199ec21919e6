import { z } from 'zod';
import { defaultPollScheduleMs, MAX_POLL_MS } from '../contract/containers/poll.ts';
import { defaultFailingDisableMs, defaultProbeDelaysMs } from '../contract/destinations/circuit.ts';
import { DEFAULT_WRONG_CODES_PER_HOUR, MAX_WRONG_CODES } from '../contract/identity/email-code.ts';
import { defaultRetryScheduleMs } from '../contract/deliveries/retry-schedule.ts';
import { platformSettings } from './platform-settings.ts';
import { areCidrs, integer, keyRing, list, port, scheduleMs, type Setting, text, url } from './setting-values.ts';

export type { Setting } from './setting-values.ts';

/** All settings. `readConfig` validates them; `npm run format` writes README's section and `.env.example` from them. */
export const settings = {
  databaseUrl: {
    name: 'DATABASE_URL',
    description: 'PostgreSQL to use. Left out, `npm start` runs one of its own under `DATA_DIR`.',
    parse: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
    secret: true,
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    default: '10',
    description: 'Connections that each process keeps at most, besides those of its hot paths.',
    parse: integer(1, 500),
  },
  temporalAddress: {
    name: 'TEMPORAL_ADDRESS',
    default: 'localhost:7233',
    description: 'Temporal to use. Left out, `npm start` runs a development server of its own.',
    parse: text.regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port'),
  },
  temporalNamespace: {
    name: 'TEMPORAL_NAMESPACE',
    default: 'default',
    description: 'Namespace of all workflows. The other `TEMPORAL_*` variables of the SDK (TLS, API key) hold too.',
    parse: text,
  },
  temporalUiUrl: {
    name: 'TEMPORAL_UI_URL',
    description: 'Where the Temporal Web UI is, for links to workflows.',
    parse: url,
  },
  baseUrl: {
    name: 'BASE_URL',
    default: 'http://localhost:3000',
    description: 'Where clients and the platform reach the API from outside.',
    parse: url,
  },
  apiHost: {
    name: 'API_HOST',
    default: '127.0.0.1',
    description: 'Address that the API listens on; 0.0.0.0 behind a load balancer.',
    parse: text,
  },
  apiPort: { name: 'API_PORT', default: '3000', description: 'Port that the API listens on.', parse: port },
  gatewayHost: {
    name: 'GATEWAY_HOST',
    default: '127.0.0.1',
    description: 'Address that the gateway listens on; 0.0.0.0 behind a load balancer.',
    parse: text,
  },
  gatewayPort: { name: 'GATEWAY_PORT', default: '3001', description: 'Port that the gateway listens on.', parse: port },
  gatewayUrl: {
    name: 'GATEWAY_URL',
    default: 'http://127.0.0.1:{GATEWAY_PORT}',
    description: 'Where clients reach the gateway from outside.',
    parse: url,
  },
  gatewayRatePerMinute: {
    name: 'GATEWAY_RATE_PER_MINUTE',
    default: '6000',
    description: 'Calls a minute that one channel token may make, counted by each gateway process.',
    parse: integer(1, 10_000_000),
  },
  metricsHost: {
    name: 'METRICS_HOST',
    default: '127.0.0.1',
    description: 'Address that the processes show their metrics at; they ask nobody who they are.',
    parse: text,
  },
  apiMetricsPort: {
    name: 'API_METRICS_PORT',
    default: '0',
    description: "Port of the API's metrics, at /metrics; 0 for none.",
    parse: port,
  },
  workerMetricsPort: {
    name: 'WORKER_METRICS_PORT',
    default: '0',
    description: "Port of the worker's.",
    parse: port,
  },
  gatewayMetricsPort: {
    name: 'GATEWAY_METRICS_PORT',
    default: '0',
    description: "Port of the gateway's.",
    parse: port,
  },
  simulatorPort: {
    name: 'SIMULATOR_PORT',
    default: '3100',
    description: 'Port of the platform simulator.',
    parse: port,
  },
  receiverPort: {
    name: 'RECEIVER_PORT',
    default: '3101',
    description: 'Port of the scripted receiver.',
    parse: port,
  },
  developmentHosts: {
    name: 'DEVELOPMENT_HOSTS',
    default: '',
    description:
      'Host names that the simulator, the scripted receiver and the mail inbox answer besides those of localhost, comma-separated.',
    parse: list,
  },
  postgresPort: {
    name: 'POSTGRES_PORT',
    default: '3432',
    description: 'Port of the PostgreSQL that `npm start` runs.',
    parse: port,
  },
  temporalPort: {
    name: 'TEMPORAL_PORT',
    default: '7233',
    description: 'Port of the Temporal that `npm start` runs.',
    parse: port,
  },
  temporalUiPort: {
    name: 'TEMPORAL_UI_PORT',
    default: '8233',
    description: 'Port of its Web UI.',
    parse: port,
  },
  dataDir: {
    name: 'DATA_DIR',
    default: '.data',
    description: 'Folder of everything that `npm start` keeps between runs.',
    parse: text,
  },
  deployment: {
    name: 'DEPLOYMENT',
    default: 'production',
    description: '`development` allows http:// destinations.',
    parse: z.enum(['development', 'production']),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: 'false',
    description: '`true` behind one proxy that writes X-Forwarded-For: clients are then told apart by it.',
    parse: z.enum(['true', 'false']).transform((value) => value === 'true'),
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    default: '600',
    description: 'Requests a minute that one credential may make, counted by each API process.',
    parse: integer(1, 1_000_000),
  },
  rateLimitPerAddressPerMinute: {
    name: 'RATE_LIMIT_PER_ADDRESS_PER_MINUTE',
    default: '1200',
    description:
      'Requests a minute that one client address may make; an IPv6 /48 eight times. Behind a proxy, set TRUST_PROXY too.',
    parse: integer(1, 1_000_000),
  },
  failedAuthPerAddressPerMinute: {
    name: 'FAILED_AUTH_PER_ADDRESS_PER_MINUTE',
    default: '60',
    description: 'Invalid credentials a minute from one client address, after which they are answered with 429.',
    parse: integer(1, 1_000_000),
  },
  bodyBytesInFlight: {
    name: 'BODY_BYTES_IN_FLIGHT',
    default: String(64 * 1024 * 1024),
    description:
      'Bytes of request bodies that the API and the gateway hold at once, each; beyond them they answer 503. One address without a credential has a quarter.',
    // A quarter must hold the platform's largest body of 4 MiB.
    parse: integer(32 * 1024 * 1024, 64 * 1024 * 1024 * 1024),
  },
  ...platformSettings,
  mediaUploadMaxBytes: {
    name: 'MEDIA_UPLOAD_MAX_BYTES',
    default: String(100 * 1024 * 1024),
    description: 'Largest file that is taken for a chatapp message; images, audio and video have 16 MiB at most.',
    parse: integer(1, 999_999_999),
  },
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    description:
      'Keys of stored secrets and of sessions: `id:base64 of 32 bytes`, comma-separated; the first encrypts and signs.',
    parse: keyRing,
    secret: true,
  },
  encryptEventBodies: {
    name: 'ENCRYPT_EVENT_BODIES',
    default: 'false',
    description:
      'Encrypts the bodies of events and the answers of receivers with `ENCRYPTION_KEYS` before they are stored: `true` or `false`.',
    parse: z.enum(['true', 'false']).transform((value) => value === 'true'),
  },
  egressAllowCidrs: {
    name: 'EGRESS_ALLOW_CIDRS',
    default: '',
    description: 'Private addresses and ranges that destinations may be at, comma-separated.',
    parse: list.refine(areCidrs, 'must be addresses or ranges such as 10.1.0.0/16'),
  },
  deliveryShards: {
    name: 'DELIVERY_SHARDS',
    default: '4',
    description: 'Parts that the destinations are split into. Read by the first migration only.',
    parse: integer(1, 256),
  },
  retryScheduleMs: {
    name: 'RETRY_SCHEDULE_SECONDS',
    default: defaultRetryScheduleMs.map((ms) => ms / 1000).join(','),
    description: 'Waits after the first, second, … failed attempt of a delivery, comma-separated.',
    parse: scheduleMs,
  },
  pollScheduleMs: {
    name: 'CONTAINER_POLL_SECONDS',
    default: defaultPollScheduleMs.map((ms) => ms / 1000).join(','),
    description: 'Waits before the second, third, … look at a media container in progress; the last one repeats.',
    parse: scheduleMs.refine(
      (waits) => waits.every((ms) => ms > 0 && ms <= MAX_POLL_MS),
      `must be waits above 0 and up to ${MAX_POLL_MS / 1000} seconds`,
    ),
  },
  credentialRefreshDays: {
    name: 'CREDENTIAL_REFRESH_DAYS',
    default: '10',
    // A new credential is valid for about 60 days. With a longer period it would be refreshed forever.
    description: "How long before its end a connected account's credential is refreshed at the platform.",
    parse: integer(1, 50),
  },
  retentionDays: {
    name: 'RETENTION_DAYS',
    default: '30',
    description: 'How long an event is kept once all its deliveries have ended, with their attempts; at least 8.',
    parse: integer(8, 3_650),
  },
  eventKeyDays: {
    name: 'EVENT_KEY_DAYS',
    default: '9',
    description:
      'How long a repetition of an event is known for one: longer than the platform repeats, which is 7 days.',
    parse: integer(9, 3_650),
  },
  circuitProbeDelaysMs: {
    name: 'CIRCUIT_PROBE_SECONDS',
    default: defaultProbeDelaysMs.map((delayMs) => delayMs / 1_000).join(','),
    description: 'Waits before the first, second, … probe of a destination whose circuit is open; the last repeats.',
    parse: scheduleMs,
  },
  failingDisableHours: {
    name: 'FAILING_DISABLE_HOURS',
    default: String(defaultFailingDisableMs / 3_600_000),
    description: 'How long a destination may fail without any success before it is disabled.',
    parse: integer(1, 10_000),
  },
  conversationHoldSeconds: {
    name: 'CONVERSATION_HOLD_SECONDS',
    default: '300',
    description: 'How long a failing delivery holds back what follows it in its conversation.',
    parse: integer(0, 86_400),
  },
  deliveryTimeoutMs: {
    name: 'DELIVERY_TIMEOUT_MS',
    default: '10000',
    description: 'Deadline of one attempt, from the look-up of the name to the last byte of the answer.',
    parse: integer(1, 60_000),
  },
  destinationInFlight: {
    name: 'DESTINATION_IN_FLIGHT',
    default: '64',
    description: 'Requests that one destination has open at most.',
    parse: integer(1, 10_000),
  },
  workspaceInFlight: {
    name: 'WORKSPACE_IN_FLIGHT',
    default: '256',
    description: 'Requests that the destinations of one workspace have open at most.',
    parse: integer(1, 10_000),
  },
  pumpHandoverSeconds: {
    name: 'PUMP_HANDOVER_SECONDS',
    default: '300',
    description: 'How long one pump activity serves its shard before a fresh one takes over.',
    parse: integer(1, 86_400),
  },
  platformWebhookUrl: {
    name: 'PLATFORM_WEBHOOK_URL',
    default: '{BASE_URL}/platform/webhooks',
    description: 'Where the simulator sends its events.',
    parse: url,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    description: 'Mail server that the worker sends codes through: smtp:// or smtps://, with user and password in it.',
    parse: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }),
    secret: true,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    default: 'Messaging channels <no-reply@localhost>',
    description: 'Sender of these mails.',
    parse: text.regex(/^[^\r\n@]*@[^\r\n]*$/, 'must be an address, or a name and <address>'),
  },
  emailCodeWindowSeconds: {
    name: 'EMAIL_CODE_WINDOW_SECONDS',
    default: '600',
    description: 'How long a code by e-mail is good.',
    parse: integer(1, 3_600),
  },
  emailCodesPerAddress: {
    name: 'EMAIL_CODES_PER_ADDRESS',
    default: '5',
    description: 'Codes an hour for one e-mail address by one client; by all clients together four times as many.',
    parse: integer(1, 10_000),
  },
  emailCodesPerClient: {
    name: 'EMAIL_CODES_PER_CLIENT',
    default: '20',
    description: 'Codes that one client address asks for within an hour at most.',
    parse: integer(1, 1_000_000),
  },
  emailCodesWrongPerHour: {
    name: 'EMAIL_CODES_WRONG_PER_HOUR',
    default: String(DEFAULT_WRONG_CODES_PER_HOUR),
    description:
      'Wrong codes an hour, by all clients together, after which only browsers that are known may try codes.',
    parse: integer(MAX_WRONG_CODES, 10_000),
  },
  invitationsPerDay: {
    name: 'INVITATIONS_PER_DAY',
    default: '2000',
    description: 'Mails of invitations that the installation sends a day at most; new organizations get half of them.',
    parse: integer(1, 10_000_000),
  },
  smtpPort: {
    name: 'SMTP_PORT',
    default: '3125',
    description: 'Port of the mail server that `npm start` runs; it keeps what it is sent.',
    parse: port,
  },
  mailInboxPort: {
    name: 'MAIL_INBOX_PORT',
    default: '3102',
    description: 'Port where its inbox is shown.',
    parse: port,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    description: 'Least level that is logged: trace, debug, info, warn, error, fatal or silent.',
    parse: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  },
  shutdownGraceSeconds: {
    name: 'SHUTDOWN_GRACE_SECONDS',
    default: '20',
    description: 'How long a stopping process may take to finish what it has begun.',
    parse: integer(0, 3_600),
  },
} satisfies Record<string, Setting>;
