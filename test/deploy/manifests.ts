import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { type Setting, settings } from '../../process/settings.ts';

export const settingNames: readonly string[] = Object.values(settings).map(({ name }) => name);
export const secretNames: readonly string[] = Object.values<Setting>(settings).flatMap(({ name, secret }) =>
  secret ? name : [],
);

/** Settings of `npm start` and its simulators only. */
export const localNames: readonly string[] = [
  settings.simulatorPort,
  settings.receiverPort,
  settings.developmentHosts,
  settings.postgresPort,
  settings.temporalPort,
  settings.temporalUiPort,
  settings.dataDir,
  settings.startLogs,
  settings.deployment,
  settings.platformWebhookUrl,
  settings.smtpPort,
  settings.mailInboxPort,
].map(({ name }) => name);

/** The image or the chart sets listen addresses. */
export const listenNames: readonly string[] = settingNames
  .filter((name) => /_(?:HOST|METRICS_PORT)$/.test(name))
  .concat(settings.apiPort.name, settings.gatewayPort.name);

export const processes = ['api', 'worker', 'gateway'] as const;

export function readText(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

export function readYaml<Shape>(path: string): Shape {
  return parse(readText(path), { merge: true });
}

export function imageEnvironment(): Record<string, string> {
  const lines = readText('deploy/Dockerfile').split(' AS service')[1]?.split('\nWORKDIR')[0] ?? '';
  return Object.fromEntries(
    [...lines.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
