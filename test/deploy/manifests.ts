import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { type Program, type Setting, settings } from '../../process/settings.ts';

export const settingNames: readonly string[] = Object.values(settings).map(({ name }) => name);
export const secretNames: readonly string[] = Object.values<Setting>(settings).flatMap(({ name, secret }) =>
  secret ? name : [],
);

/** Settings that the deployment files never pass on: `npm start` reads them, and http:// receivers are for development. */
export const localNames: readonly string[] = [
  ...Object.values<Setting>(settings).filter(({ readers }) => readers.every((reader) => reader === 'simulator')),
  settings.deployment,
].map(({ name }) => name);

/** The names of the settings that a program reads. */
export function namesReadBy(program: Program): readonly string[] {
  return Object.values<Setting>(settings).flatMap(({ name, readers }) => (readers.includes(program) ? [name] : []));
}

/** The image or the chart sets listen addresses. In Compose, workers listen for offers at any free port. */
export const listenNames: readonly string[] = settingNames
  .filter((name) => /_(?:HOST|METRICS_PORT)$/.test(name))
  .concat(settings.apiPort.name, settings.gatewayPort.name, settings.workerOffersPort.name);

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
