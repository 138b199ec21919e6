import { z } from 'zod';
import { defaultPollScheduleMs, MAX_POLL_MS } from '../contract/containers/poll.ts';
import { defaultFailingDisableMs, defaultProbeDelaysMs } from '../contract/destinations/circuit.ts';
import { DEFAULT_WRONG_CODES_PER_HOUR, MAX_WRONG_CODES } from '../contract/identity/email-code.ts';
import { defaultRetryScheduleMs } from '../contract/deliveries/retry-schedule.ts';
import { platformSettings } from './platform-settings.ts';
import { areCidrs, integer, keyRing, list, port, scheduleMs, type Setting, text, url } from './setting-values.ts';

export type { Setting } from './setting-values.ts';

/** `npm run format` writes README's section and `.env.example` from this table. */
export const settings = {
  databaseUrl: {
    name: 'DATABASE_URL',
    description: 'PostgreSQL to use. By default, `npm start` runs its own under `DATA_DIR`.',
    parse: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
    secret: true,
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    default: '10',
    description: 'Maximum connections of each process, not counting those of its hot paths.',
    parse: integer(1, 500),
  },
  temporalAddress: {
    name: 'TEMPORAL_ADDRESS',
    default: 'localhost:7233',
    description: 'Temporal to use. By default, `npm start` runs its own development server.',
    parse: text.regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port'),
  },
  temporalNamespace: {
    name: 'TEMPORAL_NAMESPACE',
    default: 'default',
    description: 'Namespace of all workflows. The other `TEMPORAL_*` variables of the SDK (TLS, API key) apply too.',
    parse: text,
  },
  temporalUiUrl: {
    name: 'TEMPORAL_UI_URL',
    description: 'URL of the Temporal Web UI, for links to workflows.',
    parse: url,
  },
  baseUrl: {
    name: 'BASE_URL',
    default: 'http://localhost:3000',
    description: 'Public URL of the API, for clients and the platform.',
    parse: url,
  },
  apiHost: {
    name: 'API_HOST',
    default: '127.0.0.1',
    description: 'Address that the API listens on. Use 0.0.0.0 behind a load balancer.',
    parse: text,
  },
  apiPort: { name: 'API_PORT', default: '3000', description: 'Port that the API listens on.', parse: port },
  gatewayHost: {
    name: 'GATEWAY_HOST',
    default: '127.0.0.1',
    description: 'Address that the gateway listens on. Use 0.0.0.0 behind a load balancer.',
    parse: text,
  },
  gatewayPort: { name: 'GATEWAY_PORT', default: '3001', description: 'Port that the gateway listens on.', parse: port },
  gatewayUrl: {
    name: 'GATEWAY_URL',
    default: 'http://127.0.0.1:{GATEWAY_PORT}',
    description: 'Public URL of the gateway.',
    parse: url,
  },
  gatewayRatePerMinute: {
    name: 'GATEWAY_RATE_PER_MINUTE',
    default: '6000',
    description: 'Calls per minute of one channel token, counted by each gateway process.',
    parse: integer(1, 10_000_000),
  },
  metricsHost: {
    name: 'METRICS_HOST',
    default: '127.0.0.1',
    description: 'Address that the metrics listen on. They need no authentication, so keep the address internal.',
    parse: text,
  },
  apiMetricsPort: {
    name: 'API_METRICS_PORT',
    default: '0',
    description: "Port of the API's metrics, at /metrics. 0 disables them.",
    parse: port,
  },
  workerMetricsPort: {
    name: 'WORKER_METRICS_PORT',
    default: '0',
    description: "Port of the worker's metrics. 0 disables them.",
    parse: port,
  },
  gatewayMetricsPort: {
    name: 'GATEWAY_METRICS_PORT',
    default: '0',
    description: "Port of the gateway's metrics. 0 disables them.",
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
      'Host names, besides localhost, that the simulator, the scripted receiver and the mail inbox answer, comma-separated.',
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
    description: 'Port of the Web UI of that Temporal.',
    parse: port,
  },
  dataDir: {
    name: 'DATA_DIR',
    default: '.data',
    description: 'Folder for the data of `npm start`.',
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
    description: 'Set `true` behind one proxy that writes X-Forwarded-For, which then identifies clients.',
    parse: z.enum(['true', 'false']).transform((value) => value === 'true'),
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    default: '600',
    description: 'Requests per minute of one credential, counted by each API process.',
    parse: integer(1, 1_000_000),
  },
  rateLimitPerAddressPerMinute: {
    name: 'RATE_LIMIT_PER_ADDRESS_PER_MINUTE',
    default: '1200',
    description:
      'Requests per minute of one client address; an IPv6 /48 may make eight times as many. Behind a proxy, set TRUST_PROXY too.',
    parse: integer(1, 1_000_000),
  },
  failedAuthPerAddressPerMinute: {
    name: 'FAILED_AUTH_PER_ADDRESS_PER_MINUTE',
    default: '60',
    description: 'Invalid credentials per minute from one client address. Further ones get 429.',
    parse: integer(1, 1_000_000),
  },
  bodyBytesInFlight: {
    name: 'BODY_BYTES_IN_FLIGHT',
    default: String(64 * 1024 * 1024),
    description:
      'Bytes of request bodies that the API and the gateway each hold in memory. Beyond the limit they answer 503. Unauthenticated clients may use a quarter each.',
    // A quarter must hold the platform's largest body of 4 MiB.
    parse: integer(32 * 1024 * 1024, 64 * 1024 * 1024 * 1024),
  },
  ...platformSettings,
  mediaUploadMaxBytes: {
    name: 'MEDIA_UPLOAD_MAX_BYTES',
    default: String(100 * 1024 * 1024),
    description: 'Maximum size of a file in a chatapp message. Images, audio and video are limited to 16 MiB.',
    parse: integer(1, 999_999_999),
  },
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    description:
      'Keys of stored secrets and of sessions: `id:base64 of 32 bytes`, comma-separated. The first one encrypts and signs.',
    parse: keyRing,
    secret: true,
  },
  encryptEventBodies: {
    name: 'ENCRYPT_EVENT_BODIES',
    default: 'false',
    description:
      'Set `true` to encrypt event bodies and receiver responses with `ENCRYPTION_KEYS` before they are stored.',
    parse: z.enum(['true', 'false']).transform((value) => value === 'true'),
  },
  egressAllowCidrs: {
    name: 'EGRESS_ALLOW_CIDRS',
    default: '',
    description: 'Private addresses and ranges that destinations may use, comma-separated.',
    parse: list.refine(areCidrs, 'must be addresses or ranges such as 10.1.0.0/16'),
  },
  deliveryShards: {
    name: 'DELIVERY_SHARDS',
    default: '4',
    description: 'Number of delivery shards. Only the first migration reads it.',
    parse: integer(1, 256),
  },
  retryScheduleMs: {
    name: 'RETRY_SCHEDULE_SECONDS',
    default: defaultRetryScheduleMs.map((ms) => ms / 1000).join(','),
    description: 'Delays after the first, second, … failed attempt of a delivery, comma-separated.',
    parse: scheduleMs,
  },
  pollScheduleMs: {
    name: 'CONTAINER_POLL_SECONDS',
    default: defaultPollScheduleMs.map((ms) => ms / 1000).join(','),
    description: 'Delays before the second, third, … check of a media container in progress. The last one repeats.',
    parse: scheduleMs.refine(
      (waits) => waits.every((ms) => ms > 0 && ms <= MAX_POLL_MS),
      `must be delays above 0 and up to ${MAX_POLL_MS / 1000} seconds`,
    ),
  },
  credentialRefreshDays: {
    name: 'CREDENTIAL_REFRESH_DAYS',
    default: '10',
    // New credentials are valid for about 60 days and would otherwise be refreshed forever.
    description: "Days before the expiry of a connected account's credential at which it is refreshed.",
    parse: integer(1, 50),
  },
  retentionDays: {
    name: 'RETENTION_DAYS',
    default: '30',
    description:
      'Days that an event is kept, with its deliveries and attempts, after all deliveries have ended. At least 8.',
    parse: integer(8, 3_650),
  },
  eventKeyDays: {
    name: 'EVENT_KEY_DAYS',
    default: '9',
    description: 'Days that repeated events are deduplicated. The platform repeats events for 7 days.',
    parse: integer(9, 3_650),
  },
  circuitProbeDelaysMs: {
    name: 'CIRCUIT_PROBE_SECONDS',
    default: defaultProbeDelaysMs.map((delayMs) => delayMs / 1_000).join(','),
    description:
      'Delays before the first, second, … probe of a destination whose circuit is open. The last one repeats.',
    parse: scheduleMs,
  },
  failingDisableHours: {
    name: 'FAILING_DISABLE_HOURS',
    default: String(defaultFailingDisableMs / 3_600_000),
    description: 'Hours that a destination may fail without any success before it is disabled.',
    parse: integer(1, 10_000),
  },
  conversationHoldSeconds: {
    name: 'CONVERSATION_HOLD_SECONDS',
    default: '300',
    description: 'Seconds that a failing delivery holds back later deliveries of its conversation.',
    parse: integer(0, 86_400),
  },
  deliveryTimeoutMs: {
    name: 'DELIVERY_TIMEOUT_MS',
    default: '10000',
    description: 'Deadline of one attempt, from the DNS lookup to the last byte of the response.',
    parse: integer(1, 60_000),
  },
  destinationInFlight: {
    name: 'DESTINATION_IN_FLIGHT',
    default: '64',
    description: 'Maximum requests in flight to one destination.',
    parse: integer(1, 10_000),
  },
  workspaceInFlight: {
    name: 'WORKSPACE_IN_FLIGHT',
    default: '256',
    description: 'Maximum requests in flight to the destinations of one workspace.',
    parse: integer(1, 10_000),
  },
  pumpHandoverSeconds: {
    name: 'PUMP_HANDOVER_SECONDS',
    default: '300',
    description: 'Seconds that one pump activity serves its shard before a new one takes over.',
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
    description: 'Mail server for codes and invitations: an smtp:// or smtps:// URL with user and password.',
    parse: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }),
    secret: true,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    default: 'Messaging channels <no-reply@localhost>',
    description: 'Sender of all mails.',
    parse: text.regex(/^[^\r\n@]*@[^\r\n]*$/, 'must be an address, or a name and <address>'),
  },
  emailCodeWindowSeconds: {
    name: 'EMAIL_CODE_WINDOW_SECONDS',
    default: '600',
    description: 'Seconds that an e-mail code is valid.',
    parse: integer(1, 3_600),
  },
  emailCodesPerAddress: {
    name: 'EMAIL_CODES_PER_ADDRESS',
    default: '5',
    description:
      'Codes per hour for one e-mail address and client. All clients together may request four times as many.',
    parse: integer(1, 10_000),
  },
  emailCodesPerClient: {
    name: 'EMAIL_CODES_PER_CLIENT',
    default: '20',
    description: 'Codes per hour for one client address.',
    parse: integer(1, 1_000_000),
  },
  emailCodesWrongPerHour: {
    name: 'EMAIL_CODES_WRONG_PER_HOUR',
    default: String(DEFAULT_WRONG_CODES_PER_HOUR),
    description: 'Wrong codes per hour from all clients together, after which only known browsers may try codes.',
    parse: integer(MAX_WRONG_CODES, 10_000),
  },
  invitationsPerDay: {
    name: 'INVITATIONS_PER_DAY',
    default: '2000',
    description: 'Maximum invitation mails per day. New organizations may use half of them.',
    parse: integer(1, 10_000_000),
  },
  smtpPort: {
    name: 'SMTP_PORT',
    default: '3125',
    description: 'Port of the mail server that `npm start` runs, which stores mails instead of sending them.',
    parse: port,
  },
  mailInboxPort: {
    name: 'MAIL_INBOX_PORT',
    default: '3102',
    description: 'Port of the web page that shows these mails.',
    parse: port,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    description: 'Minimum log level: trace, debug, info, warn, error, fatal or silent.',
    parse: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  },
  shutdownGraceSeconds: {
    name: 'SHUTDOWN_GRACE_SECONDS',
    default: '20',
    description: 'Seconds that a stopping process may take to finish its work.',
    parse: integer(0, 3_600),
  },
} satisfies Record<string, Setting>;
