import { z } from 'zod';
import { defaultPollScheduleMs, MAX_POLL_MS } from '../contract/containers/poll.ts';
import { DEFAULT_WRONG_CODES_PER_HOUR, MAX_WRONG_CODES } from '../contract/identity/email-code.ts';
import { defaultRetryScheduleMs } from '../contract/deliveries/retry-schedule.ts';
import { deliverySettings } from './delivery-settings.ts';
import { platformSettings } from './platform-settings.ts';
import { traceSettings } from './trace-settings.ts';
import {
  areCidrs,
  integer,
  keyRing,
  list,
  port,
  postgresUrl,
  scheduleMs,
  type Setting,
  text,
  url,
} from './setting-values.ts';
import { workerSettings } from './worker-settings.ts';

export type { Program, Setting } from './setting-values.ts';

/**
 * `readConfig` derives its typed result and its problems from this table. `npm run format` generates docs/settings.md
 * and `.env.example` from it, and a check compares them.
 */
export const settings = {
  databaseUrl: {
    name: 'DATABASE_URL',
    readers: ['api', 'worker', 'gateway', 'admin'],
    description: 'PostgreSQL connection URL. Without it, `npm start` runs its own PostgreSQL under `DATA_DIR`.',
    parse: postgresUrl,
    secret: true,
  },
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    readers: ['api'],
    description:
      'Connection URL of a PostgreSQL replica for lists, searches and statistics, which may lag. Without it, the API reads them from `DATABASE_URL`, with connections of their own.',
    parse: postgresUrl,
    secret: true,
  },
  databaseApiUrl: {
    name: 'DATABASE_API_URL',
    readers: ['admin'],
    description:
      'Connection URL of the API, if it has a database role of its own. `admin migrate` creates the role with this name and password, and grants it what the API needs (docs/self-hosting.md).',
    parse: postgresUrl,
    secret: true,
  },
  databaseWorkerUrl: {
    name: 'DATABASE_WORKER_URL',
    readers: ['admin'],
    description: 'The same for the worker.',
    parse: postgresUrl,
    secret: true,
  },
  databaseGatewayUrl: {
    name: 'DATABASE_GATEWAY_URL',
    readers: ['admin'],
    description: 'The same for the gateway.',
    parse: postgresUrl,
    secret: true,
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    readers: ['api', 'worker', 'gateway'],
    default: '10',
    description:
      'Maximum number of database connections per process, in addition to the ones reserved for its hot paths. An API has as many again for lists, searches, counts and statistics.',
    parse: integer(1, 500),
  },
  temporalAddress: {
    name: 'TEMPORAL_ADDRESS',
    readers: ['api', 'worker', 'admin'],
    default: 'localhost:7233',
    description: 'Address of the Temporal server. Without it, `npm start` runs its own development server.',
    parse: text.regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port'),
  },
  temporalNamespace: {
    name: 'TEMPORAL_NAMESPACE',
    readers: ['api', 'worker', 'admin'],
    default: 'default',
    description: "Namespace of all workflows. The SDK's other `TEMPORAL_*` variables (TLS, API key) apply as well.",
    parse: text,
  },
  temporalUiUrl: {
    name: 'TEMPORAL_UI_URL',
    readers: ['api'],
    description: 'Address of the Temporal Web UI, used for links to workflows.',
    parse: url,
  },
  baseUrl: {
    name: 'BASE_URL',
    readers: ['api', 'worker', 'gateway', 'admin'],
    default: 'http://localhost:3000',
    description: 'Public URL of the API, as clients and the platform reach it.',
    parse: url,
  },
  apiHost: {
    name: 'API_HOST',
    readers: ['api'],
    default: '127.0.0.1',
    description: 'Address the API listens on. Use 0.0.0.0 behind a load balancer.',
    parse: text,
  },
  apiPort: {
    name: 'API_PORT',
    readers: ['api'],
    default: '3000',
    description: 'Port the API listens on.',
    parse: port,
  },
  gatewayHost: {
    name: 'GATEWAY_HOST',
    readers: ['gateway'],
    default: '127.0.0.1',
    description: 'Address the gateway listens on. Use 0.0.0.0 behind a load balancer.',
    parse: text,
  },
  gatewayPort: {
    name: 'GATEWAY_PORT',
    readers: ['gateway'],
    default: '3001',
    description: 'Port the gateway listens on.',
    parse: port,
  },
  gatewayUrl: {
    name: 'GATEWAY_URL',
    readers: ['api', 'gateway'],
    default: 'http://127.0.0.1:{GATEWAY_PORT}',
    description: 'Public URL of the gateway, as clients reach it.',
    parse: url,
  },
  gatewayRatePerMinute: {
    name: 'GATEWAY_RATE_PER_MINUTE',
    readers: ['gateway'],
    default: '6000',
    description: 'Maximum calls per minute for one channel token, counted by each gateway process.',
    parse: integer(1, 10_000_000),
  },
  metricsHost: {
    name: 'METRICS_HOST',
    readers: ['api', 'worker', 'gateway'],
    default: '127.0.0.1',
    description: 'Address the processes serve their metrics on. Metrics need no credential.',
    parse: text,
  },
  apiMetricsPort: {
    name: 'API_METRICS_PORT',
    readers: ['api'],
    default: '0',
    description: "Port of the API's metrics, served at /metrics. 0 disables them.",
    parse: port,
  },
  workerMetricsPort: {
    name: 'WORKER_METRICS_PORT',
    readers: ['worker'],
    default: '0',
    description: "Port of the worker's metrics and health checks. 0 disables them.",
    parse: port,
  },
  gatewayMetricsPort: {
    name: 'GATEWAY_METRICS_PORT',
    readers: ['gateway'],
    default: '0',
    description: "Port of the gateway's metrics. 0 disables them.",
    parse: port,
  },
  simulatorPort: {
    name: 'SIMULATOR_PORT',
    readers: ['simulator'],
    default: '3100',
    description: 'Port of the platform simulator.',
    parse: port,
  },
  receiverPort: {
    name: 'RECEIVER_PORT',
    readers: ['simulator'],
    default: '3101',
    description: 'Port of the scripted receiver.',
    parse: port,
  },
  developmentHosts: {
    name: 'DEVELOPMENT_HOSTS',
    readers: ['simulator'],
    default: '',
    description:
      'Host names that the simulator, the scripted receiver and the mail inbox accept in addition to localhost, comma-separated.',
    parse: list,
  },
  postgresPort: {
    name: 'POSTGRES_PORT',
    readers: [],
    default: '3432',
    description: 'Port of the PostgreSQL that `npm start` runs.',
    parse: port,
  },
  temporalPort: {
    name: 'TEMPORAL_PORT',
    readers: [],
    default: '7233',
    description: 'Port of the Temporal server that `npm start` runs.',
    parse: port,
  },
  temporalUiPort: {
    name: 'TEMPORAL_UI_PORT',
    readers: [],
    default: '8233',
    description: 'Port of the Temporal Web UI that `npm start` runs.',
    parse: port,
  },
  dataDir: {
    name: 'DATA_DIR',
    readers: [],
    default: '.data',
    description: 'Folder for everything that `npm start` keeps between runs.',
    parse: text,
  },
  startLogs: {
    name: 'START_LOGS',
    readers: [],
    default: 'problems',
    description:
      'What `npm start` shows of the logs of its processes: `problems` are warnings and errors, `all` has a line per request.',
    parse: z.enum(['problems', 'all'], 'must be problems or all'),
  },
  deployment: {
    name: 'DEPLOYMENT',
    readers: ['api', 'worker', 'admin'],
    default: 'production',
    description: '`development` allows http:// destinations.',
    parse: z.enum(['development', 'production']),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    readers: ['api', 'gateway'],
    default: 'false',
    description:
      'Set to `true` behind a proxy that writes X-Forwarded-For. The service then identifies clients by the last address of that header, with or without a port.',
    parse: z.enum(['true', 'false']).transform((value) => value === 'true'),
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    readers: ['api'],
    default: '600',
    description: 'Maximum requests per minute for one credential, counted by each API process.',
    parse: integer(1, 1_000_000),
  },
  rateLimitPerAddressPerMinute: {
    name: 'RATE_LIMIT_PER_ADDRESS_PER_MINUTE',
    readers: ['api'],
    default: '1200',
    description:
      'Maximum requests per minute for one client address. An IPv6 /48 gets eight times as many. Behind a proxy, set TRUST_PROXY too.',
    parse: integer(1, 1_000_000),
  },
  failedAuthPerAddressPerMinute: {
    name: 'FAILED_AUTH_PER_ADDRESS_PER_MINUTE',
    readers: ['api', 'gateway'],
    default: '60',
    description:
      'Maximum invalid credentials per minute from one client address. Further requests with invalid credentials get status 429.',
    parse: integer(1, 1_000_000),
  },
  bodyBytesInFlight: {
    name: 'BODY_BYTES_IN_FLIGHT',
    readers: ['api', 'gateway'],
    default: String(64 * 1024 * 1024),
    description:
      'Maximum bytes of request bodies that each API and gateway process holds at once. Beyond it, requests get status 503. One organization, and one client address without a credential, may use at most a quarter.',
    // A quarter must hold the platform's largest body, 4 MiB.
    parse: integer(32 * 1024 * 1024, 64 * 1024 * 1024 * 1024),
  },
  ...platformSettings,
  mediaUploadMaxBytes: {
    name: 'MEDIA_UPLOAD_MAX_BYTES',
    readers: ['api'],
    default: String(100 * 1024 * 1024),
    description: 'Maximum size of a file for a chatapp message. Images, audio and video are limited to 16 MiB.',
    parse: integer(1, 999_999_999),
  },
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    readers: ['api', 'worker', 'gateway', 'admin'],
    description:
      'Keys for stored secrets and sessions, as comma-separated `id:base64 of 32 bytes`. The first key encrypts and signs; all keys decrypt.',
    parse: keyRing,
    secret: true,
  },
  encryptEventBodies: {
    name: 'ENCRYPT_EVENT_BODIES',
    readers: ['api', 'worker', 'admin'],
    default: 'false',
    description:
      "Set to `true` to encrypt event bodies and receivers' responses with `ENCRYPTION_KEYS` before they are stored.",
    parse: z.enum(['true', 'false']).transform((value) => value === 'true'),
  },
  egressAllowCidrs: {
    name: 'EGRESS_ALLOW_CIDRS',
    readers: ['api', 'worker'],
    default: '',
    description: 'Private addresses and ranges that destinations may use, comma-separated.',
    parse: list.refine(areCidrs, 'must be addresses or ranges such as 10.1.0.0/16'),
  },
  retryScheduleMs: {
    name: 'RETRY_SCHEDULE_SECONDS',
    readers: ['api', 'worker'],
    default: defaultRetryScheduleMs.map((ms) => ms / 1000).join(','),
    description: 'Delays after the first, second, … failed attempt of a delivery, comma-separated.',
    parse: scheduleMs,
  },
  pollScheduleMs: {
    name: 'CONTAINER_POLL_SECONDS',
    readers: ['api', 'worker'],
    default: defaultPollScheduleMs.map((ms) => ms / 1000).join(','),
    description:
      'Delays between status checks of a media container that is still processing, comma-separated. The last one repeats for an hour. Then the delays grow to 15 minutes, unless the last one is longer.',
    parse: scheduleMs.refine(
      (waits) => waits.every((ms) => ms > 0 && ms <= MAX_POLL_MS),
      `must be delays above 0 and up to ${MAX_POLL_MS / 1000} seconds`,
    ),
  },
  credentialRefreshDays: {
    name: 'CREDENTIAL_REFRESH_DAYS',
    readers: ['worker'],
    default: '10',
    // A new credential lives about 60 days. A longer lead would refresh it repeatedly.
    description: "Number of days before its expiry at which a connected account's credential is refreshed.",
    parse: integer(1, 50),
  },
  retentionDays: {
    name: 'RETENTION_DAYS',
    readers: ['worker'],
    default: '30',
    description:
      'Number of days that an event is kept with its deliveries and attempts, counted from its acceptance or its latest retry or replay. Events with waiting deliveries are kept longer, and those of a busy installation until their period is dropped, about a twelfth longer. At least 8.',
    parse: integer(8, 3_650),
  },
  eventKeyDays: {
    name: 'EVENT_KEY_DAYS',
    readers: ['worker'],
    default: '9',
    description:
      'Number of days that a repeated event is recognized. At least 9, because the platform repeats events for 7 days.',
    parse: integer(9, 3_650),
  },
  auditDays: {
    name: 'AUDIT_DAYS',
    readers: ['worker'],
    default: '400',
    description: 'Number of days that entries of the audit log are kept.',
    parse: integer(30, 3_650),
  },
  usageMonths: {
    name: 'USAGE_MONTHS',
    readers: ['worker'],
    default: '25',
    description: 'Number of months that the daily counts of usage are kept. They outlive the events that they count.',
    parse: integer(1, 120),
  },
  ...deliverySettings,
  ...workerSettings,
  platformWebhookUrl: {
    name: 'PLATFORM_WEBHOOK_URL',
    readers: ['simulator'],
    default: '{BASE_URL}/platform/webhooks',
    description: 'Address the simulator sends its events to.',
    parse: url,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    readers: ['worker'],
    description: 'Mail server for sign-in codes and invitations: smtp:// or smtps://, including user and password.',
    parse: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }),
    secret: true,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    readers: ['worker'],
    default: 'Messaging channels <no-reply@localhost>',
    description: 'Sender address of all emails.',
    parse: text.regex(/^[^\r\n@]*@[^\r\n]*$/, 'must be an address, or a name and <address>'),
  },
  emailCodesPerAddress: {
    name: 'EMAIL_CODES_PER_ADDRESS',
    readers: ['api'],
    default: '5',
    description:
      'Maximum codes per hour that one client may request for one email address. Unknown clients together may request four times as many, and known ones another four times.',
    parse: integer(1, 10_000),
  },
  emailCodesPerClient: {
    name: 'EMAIL_CODES_PER_CLIENT',
    readers: ['api'],
    default: '20',
    description: 'Maximum codes per hour that one client address may request.',
    parse: integer(1, 1_000_000),
  },
  emailCodesWrongPerHour: {
    name: 'EMAIL_CODES_WRONG_PER_HOUR',
    readers: ['api'],
    default: String(DEFAULT_WRONG_CODES_PER_HOUR),
    description: 'Wrong codes per hour, across all clients, after which only known browsers may enter codes.',
    parse: integer(MAX_WRONG_CODES, 10_000),
  },
  invitationsPerDay: {
    name: 'INVITATIONS_PER_DAY',
    readers: ['api'],
    default: '2000',
    description: 'Maximum invitation emails per day for the installation. New organizations share half of them.',
    parse: integer(1, 10_000_000),
  },
  smtpPort: {
    name: 'SMTP_PORT',
    readers: ['simulator'],
    default: '3125',
    description: 'Port of the mail server that `npm start` runs. It keeps every email it receives.',
    parse: port,
  },
  mailInboxPort: {
    name: 'MAIL_INBOX_PORT',
    readers: ['simulator'],
    default: '3102',
    description: 'Port of the inbox that shows these emails.',
    parse: port,
  },
  ...traceSettings,
  logLevel: {
    name: 'LOG_LEVEL',
    readers: ['api', 'worker', 'gateway', 'simulator'],
    default: 'info',
    description: 'Minimum log level: trace, debug, info, warn, error, fatal or silent.',
    parse: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  },
  shutdownDelaySeconds: {
    name: 'SHUTDOWN_DELAY_SECONDS',
    readers: ['api', 'gateway'],
    default: '0',
    description:
      'Time that a stopping API or gateway still accepts requests, while its readiness is already 503, for load balancers that watch it. The grace period starts afterwards.',
    parse: integer(0, 300),
  },
  shutdownGraceSeconds: {
    name: 'SHUTDOWN_GRACE_SECONDS',
    readers: ['api', 'worker', 'gateway'],
    // The longest call to the platform that is no upload (30 s), and the time for answers.
    default: '40',
    description:
      'Time that a stopping process has to finish its work. A worker takes up to 5 s more; together they must cover DELIVERY_TIMEOUT_MS. With less than 40, calls to the platform may be answered as unknown although it would have answered in time.',
    parse: integer(0, 3_600),
  },
} as const satisfies Record<string, Setting>;
