interface ComparedSettings {
  readonly deliveryTimeoutMs: number;
  readonly retryScheduleMs: readonly number[];
  readonly retentionDays: number;
  readonly circuitProbeDelaysMs: readonly number[];
  readonly failingDisableHours: number;
  readonly shutdownGraceSeconds: number;
}

/**
 * Settings that are valid alone and contradict each other or the code. A process that started with them would lose or
 * repeat work silently.
 */
interface Conflict {
  readonly isPresent: (config: ComparedSettings) => boolean;
  readonly describe: (config: ComparedSettings) => string;
}

/**
 * Activities that make one request to a receiver. Beyond their time-out, Temporal repeats the activity while the first
 * request is still running: the receiver gets two, and the ledger records one.
 */
const requestActivities = [
  // `workflows/deliveries/deliver-webhook.ts`; the request does not wait for a connection.
  { what: "a retry's activity", endsAfterMs: 60_000, reserveMs: 12_000 },
  // `workflows/webhooks/save-webhook.ts`; the request may wait 3 s for a connection.
  { what: "a webhook probe's activity", endsAfterMs: 15_000, reserveMs: 3_000 },
] as const;
const strictest = requestActivities.toSorted((a, b) => longestRequestMs(a) - longestRequestMs(b))[0]!;

/** `worker/run-worker.ts`: a worker ends its requests this long after its grace period. */
const FORCE_AFTER_GRACE_MS = 5_000;

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const conflicts: readonly Conflict[] = [
  {
    isPresent: ({ deliveryTimeoutMs }) => deliveryTimeoutMs > longestRequestMs(strictest),
    describe: ({ deliveryTimeoutMs }) =>
      `DELIVERY_TIMEOUT_MS (${deliveryTimeoutMs}) must be at most ${longestRequestMs(strictest)}, because ` +
      `${strictest.what} ends after ${strictest.endsAfterMs} ms and would send the request again`,
  },
  {
    isPresent: ({ retryScheduleMs, retentionDays }) => sumOf(retryScheduleMs) > retentionDays * DAY_MS,
    describe: ({ retryScheduleMs, retentionDays }) =>
      `RETRY_SCHEDULE_SECONDS (${Math.round(sumOf(retryScheduleMs) / 1_000)} in total) must not exceed RETENTION_DAYS ` +
      `(${retentionDays}), because events would be kept longer than that`,
  },
  {
    isPresent: ({ circuitProbeDelaysMs, failingDisableHours }) =>
      Math.max(...circuitProbeDelaysMs) >= failingDisableHours * HOUR_MS,
    describe: ({ circuitProbeDelaysMs, failingDisableHours }) =>
      `CIRCUIT_PROBE_SECONDS (up to ${Math.max(...circuitProbeDelaysMs) / 1_000}) must stay below FAILING_DISABLE_HOURS ` +
      `(${failingDisableHours}), because a destination would be disabled before its next probe`,
  },
  {
    isPresent: (config) => config.shutdownGraceSeconds < leastGraceSeconds(config),
    describe: (config) =>
      `SHUTDOWN_GRACE_SECONDS (${config.shutdownGraceSeconds}) must be at least ${leastGraceSeconds(config)}, because ` +
      `a stopping worker would cut requests that may last DELIVERY_TIMEOUT_MS (${config.deliveryTimeoutMs}), and ` +
      'another worker would send them again',
  },
];

/** Returns one problem for each conflict. */
export function settingConflicts(config: ComparedSettings): string[] {
  return conflicts.filter(({ isPresent }) => isPresent(config)).map(({ describe }) => describe(config));
}

function longestRequestMs({ endsAfterMs, reserveMs }: (typeof requestActivities)[number]): number {
  return endsAfterMs - reserveMs;
}

function leastGraceSeconds({ deliveryTimeoutMs }: ComparedSettings): number {
  return Math.ceil((deliveryTimeoutMs - FORCE_AFTER_GRACE_MS) / SECOND_MS);
}

function sumOf(delaysMs: readonly number[]): number {
  return delaysMs.reduce((sum, delayMs) => sum + delayMs, 0);
}
