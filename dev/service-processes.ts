import { join } from 'node:path';
import { leanEnvironment, leanNodeArguments } from './lean-memory.ts';
import { eventOfLine } from './processes/log-lines.ts';
import type { ProcessSpec } from './processes/processes.ts';
import type { StartPlan } from './settings/start-settings.ts';

const root = join(import.meta.dirname, '..');
/** Bundling the workflows takes seconds on a busy machine. */
const START_DEADLINE_MS = 300_000;
const STOP_MARGIN_MS = 5_000;
const PROBE_TIMEOUT_MS = 2_000;

export function serviceProcesses({ plan, env }: { plan: StartPlan; env: NodeJS.ProcessEnv }): ProcessSpec[] {
  const { simulatorUrl, config } = plan;
  const apiUrl = `http://127.0.0.1:${config.apiPort}`;
  const gatewayUrl = `http://127.0.0.1:${config.gatewayPort}`;
  const isReady: Record<string, ProcessSpec['isReady']> = {
    simulator: () => answersOk(`${simulatorUrl}/healthz`),
    worker: ({ tail }) => tail.some((line) => eventOfLine(line) === 'worker.started'),
    api: () => answersOk(`${apiUrl}/readyz`),
    gateway: () => answersOk(`${gatewayUrl}/readyz`),
  };
  return Object.entries(isReady).map(([name, ready]) => ({
    name,
    command: process.execPath,
    args: [...leanNodeArguments, join(root, name, 'main.ts')],
    // A log line of level info shows that the process is ready.
    env: { ...leanEnvironment, ...env, ...(name === 'worker' && isQuiet(config.logLevel) && { LOG_LEVEL: 'info' }) },
    stopDeadlineMs: config.shutdownGraceSeconds * 1000 + STOP_MARGIN_MS,
    startDeadlineMs: START_DEADLINE_MS,
    isReady: ready,
  }));
}

function isQuiet(level: StartPlan['config']['logLevel']): boolean {
  return level !== 'info' && level !== 'debug' && level !== 'trace';
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
