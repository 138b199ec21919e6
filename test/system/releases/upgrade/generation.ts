import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../../dev/processes/ports.ts';
import type { StopList } from '../../../../dev/processes/stop-list.ts';
import { ServiceProcess } from '../../../harness/system/service-process.ts';
import type { Version } from '../last-release.ts';

/** The processes of one version, each with a port of its own, so that two versions can run at the same time. */
export interface Generation {
  readonly version: Version;
  readonly workers: readonly [ServiceProcess, ServiceProcess];
  readonly api: ServiceProcess;
  readonly apiPort: number;
  readonly gateway: ServiceProcess;
  readonly gatewayPort: number;
}

export interface GenerationOptions {
  readonly version: Version;
  readonly env: Readonly<Record<string, string>>;
  /** Distinguishes the processes of two versions in the log. */
  readonly firstNumber: number;
  readonly onLine: (line: string) => void;
}

export async function prepareGeneration(options: GenerationOptions, stops: StopList): Promise<Generation> {
  const { version, env, firstNumber, onLine } = options;
  const { root } = version;
  const apiPort = await freePort();
  const gatewayPort = await freePort();
  const prepare = (kind: 'worker' | 'api' | 'gateway', number: number, more: Readonly<Record<string, string>> = {}) => {
    const one = new ServiceProcess({ kind, number, env: { ...env, ...more }, onLine, root });
    stops.add({ name: `${kind} ${number}`, stop: () => one.kill9() });
    return one;
  };
  return {
    version,
    workers: [prepare('worker', firstNumber), prepare('worker', firstNumber + 1)],
    apiPort,
    gatewayPort,
    api: prepare('api', firstNumber, { API_PORT: String(apiPort) }),
    gateway: prepare('gateway', firstNumber, { GATEWAY_PORT: String(gatewayPort) }),
  };
}

const run = promisify(execFile);

export interface AdminCommand {
  readonly version: Version;
  readonly env: Readonly<Record<string, string>>;
  readonly parameters: readonly string[];
  readonly input?: string;
}

/** Returns the result that the command prints. */
export async function admin<Result>({ version, env, parameters, input = '' }: AdminCommand): Promise<Result> {
  const done = run(process.execPath, [join(version.root, 'admin/main.ts'), ...parameters], { env });
  done.child.stdin?.end(input);
  return JSON.parse((await done).stdout);
}
