import { Client, Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../admin/commands/register-search-attributes.ts';
import { type ProcessWatch, startProcess } from '../processes/processes.ts';

export interface StartTemporal {
  readonly binary: string;
  readonly databaseFile: string | null;
  readonly port: number;
  readonly uiPort: number | null;
  /** Optional. Added to the server's settings. */
  readonly settings?: Readonly<Record<string, number | boolean>>;
  readonly onProgress: (text: string) => void;
  readonly log: (line: string) => void;
  readonly onPid?: ProcessWatch['onPid'];
  readonly signal?: AbortSignal;
}

export interface RunningTemporal {
  readonly address: string;
  readonly uiUrl: string | null;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 10_000;
const PROBE_TIMEOUT_MS = 1_000;

const dynamicConfig: Record<string, number> = {
  // The defaults throttle a burst on this single-user server.
  'frontend.rps': 50_000,
  'frontend.namespaceRPS': 50_000,
  'history.rps': 50_000,
  'matching.rps': 50_000,
  // On one host, partitions only make polls miss tasks.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

export async function startTemporal(request: StartTemporal): Promise<RunningTemporal> {
  const { binary, port, uiPort, onProgress, log, onPid = () => undefined, signal } = request;
  const address = `127.0.0.1:${port}`;
  const running = await startProcess(
    {
      name: 'temporal',
      command: binary,
      args: serverArguments(request),
      env: serverEnvironment(),
      stopDeadlineMs: STOP_DEADLINE_MS,
      startDeadlineMs: START_DEADLINE_MS,
      isReady: () => isTemporalReady(address),
    },
    { onLine: log, onPid, onNotice: (text) => onProgress(`Temporal ${text}`), signal },
  );
  return {
    address,
    uiUrl: uiPort === null ? null : `http://127.0.0.1:${uiPort}`,
    stop: () => running.stop(),
  };
}

/** Also registers what the database of an earlier version lacks, which the server's own options do not. */
async function isTemporalReady(address: string, namespace = 'default'): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: PROBE_TIMEOUT_MS });
    try {
      await connection.workflowService.describeNamespace({ namespace });
      return (await registerSearchAttributes(new Client({ connection, namespace }))).registered.length === 0;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

function serverArguments({ databaseFile, port, uiPort, settings }: StartTemporal): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
    ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(databaseFile === null ? [] : ['--db-filename', databaseFile]),
    // NORMAL survives a crash of the process and halves the writes of FULL.
    ...(databaseFile === null ? [] : ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL']),
    ...Object.entries({ ...dynamicConfig, ...settings }).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${value}`,
    ]),
  ];
}

/** The CLI would take `TEMPORAL_*` variables as flags. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

/**
 * Normal at a first start: the worker asks for its deployment until the server has seen its first poll, and the server's
 * own workflow of the deployment refuses calls while it continues as new.
 */
const EXPECTED = /Worker Deployment not found|wf-id=temporal-sys-worker-deployment/i;

/** Whether a line of the server's log is worth the reader's attention. */
export function isTemporalTrouble(line: string): boolean {
  return /error|fatal|panic/i.test(line) && !EXPECTED.test(line);
}
