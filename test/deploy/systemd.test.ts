import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { settings } from '../../process/settings.ts';
import { processes, readText, settingNames } from './manifests.ts';

test('every process has a unit with its own user and restarts', (t) => {
  for (const name of processes) {
    const unit = readText(`deploy/systemd/messaging-channels-${name}@.service`);
    const [, main] = /^ExecStart=\S+\/node (?:--\S+ )*(\S+)$/m.exec(unit) ?? [];
    t.is(main, `${name}/main.ts`);
    t.true(existsSync(join(projectRoot, main!)));
    t.regex(unit, /^User=(?!root$)\S+$/m);
    t.regex(unit, /^Restart=always$/m);
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    const { shutdownDelaySeconds, shutdownGraceSeconds } = settings;
    t.true(Number(seconds) >= Number(shutdownDelaySeconds.default) + Number(shutdownGraceSeconds.default) + 10);
  }
});

const confined = [
  'CapabilityBoundingSet=',
  'NoNewPrivileges=true',
  'PrivateUsers=true',
  'ProtectKernelModules=true',
  'ProtectProc=invisible',
  'ProtectSystem=strict',
  'RestrictNamespaces=true',
  'SystemCallFilter=@system-service',
  'UMask=0077',
];

test('every unit confines its process in the same way', (t) => {
  const [first, ...others] = processes.map((name) => {
    const unit = readText(`deploy/systemd/messaging-channels-${name}@.service`);
    return unit.slice(unit.indexOf('NoNewPrivileges='), unit.indexOf('[Install]')).trim().split('\n');
  });
  for (const directive of confined) t.true(first!.includes(directive), directive);
  for (const other of others) t.deepEqual(other, first);
});

test('a worker has its own folder for the workflow bundler', (t) => {
  const unit = readText('deploy/systemd/messaging-channels-worker@.service');
  const [, name] = /^CacheDirectory=(\S+)$/m.exec(unit) ?? [];
  t.true(unit.includes(`\nEnvironment=XDG_CACHE_HOME=/var/cache/${name}\n`));
});

test('the example has existing settings and no secret values', (t) => {
  const lines = [...readText('deploy/systemd/service.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)];
  t.true(lines.length > 5);
  for (const [, name = '', value] of lines) {
    t.true(settingNames.includes(name), name);
    if (name !== settings.trustProxy.name) t.is(value, '', name);
  }
});
