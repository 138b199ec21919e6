import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Runtime, type RuntimeOptions, DefaultLogger, type Logger, type TelemetryOptions } from '@temporalio/worker';
import { temporalBounds } from '../metrics/temporal-metric-table.ts';
import type { Log } from '../process/log.ts';

export interface SdkMetrics {
  /** Undefined if the SDK exports no metrics. */
  read(): Promise<string | undefined>;
}

export interface InstallRuntime {
  readonly hasMetrics: boolean;
  readonly log: Log;
}

/** Another process may take the port between its choice and its use. */
const TRIES = 5;
const READ_TIMEOUT_MS = 2_000;
const HOST = '127.0.0.1';

/**
 * Installs the SDK's runtime. Its metrics have a server of their own, which listens on a free port of the loopback
 * interface: the worker's metrics port shows them. Without metrics the process runs on.
 */
export async function installRuntime({ hasMetrics, log }: InstallRuntime): Promise<SdkMetrics> {
  for (let tries = 0; hasMetrics && tries < TRIES; tries++) {
    const address = `${HOST}:${await freePort()}`;
    try {
      Runtime.install(withMetrics(log, address));
      return { read: () => readText(`http://${address}/metrics`) };
    } catch (error) {
      log.warn('temporal.metricsFailed', { error });
    }
  }
  Runtime.install(runtimeOptions(log));
  return { read: () => Promise.resolve(undefined) };
}

/** Signals are disabled, because the SDK would stop before the pump has drained. */
function runtimeOptions(log: Log): RuntimeOptions {
  return { shutdownSignals: [], logger: sdkLogger(log), telemetryOptions: { logging: coreLogging } };
}

function withMetrics(log: Log, bindAddress: string): RuntimeOptions {
  const prometheus = {
    bindAddress,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
    histogramBucketOverrides: temporalBounds,
  };
  return {
    ...runtimeOptions(log),
    telemetryOptions: { logging: coreLogging, metrics: { prometheus, attachServiceName: false } },
  };
}

/** The SDK does not tell which port it has if it chooses one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The SDK's metrics were answered with ${response.status}`);
  return await response.text();
}

/** The pump worker has no workflows on purpose. */
const EXPECTED = 'No workflows registered';

/** Each poller repeats it while Temporal is unavailable, which the service logs itself. */
const REPETITIVE = /^gRPC call \w+ retried/;

/** By default, the core writes to stdout in another format. */
const coreLogging: NonNullable<TelemetryOptions['logging']> = {
  filter: { core: 'WARN', other: 'ERROR' },
  forward: {},
};

function sdkLogger(log: Log): Logger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (message.startsWith(EXPECTED) || REPETITIVE.test(message)) return;
    log[level === 'ERROR' ? 'error' : 'warn']('temporal.reported', { message, ...meta });
  });
}
