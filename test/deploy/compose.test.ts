import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { settings } from '../../process/settings.ts';
import {
  imageEnvironment,
  listenNames,
  localNames,
  namesReadBy,
  processes,
  readText,
  readYaml,
  secretNames,
  settingNames,
} from './manifests.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly replicas: number };
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly entrypoint?: readonly string[];
  readonly profiles?: readonly string[];
}

const text = readText('deploy/compose.yaml');
const { services } = readYaml<{ services: Record<string, Service> }>('deploy/compose.yaml');
const example = readText('deploy/.env.example');
const ours = [...processes, 'migrate', 'search-attributes'].map((name) => [name, services[name]!] as const);

test('every process runs one image, unprivileged and read-only', (t) => {
  t.is(new Set(ours.map(([, { image }]) => image)).size, 1);
  for (const [name, service] of ours) {
    t.true(service.read_only, name);
    t.deepEqual(service.cap_drop, ['ALL'], name);
    t.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
  }
});

test('two APIs, three workers and a gateway are probed and restarted', (t) => {
  t.deepEqual(
    processes.map((name) => services[name]?.deploy?.replicas ?? 1),
    [2, 3, 1],
  );
  for (const name of processes) {
    t.is(services[name]?.restart, 'unless-stopped', name);
    t.deepEqual(services[name]?.command, [name]);
    const [, ...check] = services[name]?.healthcheck?.test ?? [];
    t.deepEqual(check, ['node', 'deploy/image/healthcheck.mjs', name, '/readyz']);
  }
});

const programs = { api: 'api', worker: 'worker', gateway: 'gateway', migrate: 'admin' } as const;

test('each container gets the settings that its program reads, and no other', (t) => {
  for (const [name, program] of Object.entries(programs)) {
    const given = Object.keys(services[name]?.environment ?? {});
    const wanted = namesReadBy(program).filter((setting) => ![...localNames, ...listenNames].includes(setting));
    t.deepEqual(given.toSorted(), wanted.toSorted(), `${name}: compare the readers in process/settings.ts`);
  }
  const { environment = {} } = services['search-attributes']!;
  t.deepEqual(Object.keys(environment), ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE']);
});

test('only the migration connects as the owner of the tables', (t) => {
  const roleOf = (name: string, variable = 'DATABASE_URL'): string =>
    new URL(services[name]?.environment?.[variable]?.replace(/\$\{[^}]*\}/, 'password') ?? '').username;
  t.is(roleOf('migrate'), 'channels');
  for (const name of processes) {
    t.is(roleOf(name), `channels_${name}`);
    t.is(
      services['migrate']?.environment?.[`DATABASE_${name.toUpperCase()}_URL`],
      services[name]?.environment?.['DATABASE_URL'],
    );
  }
});

test('no script of the database writes a password into a statement', (t) => {
  const script = readText('deploy/compose/create-databases.sh');
  const [, statements = ''] = script.split("<<'SQL'");
  t.regex(statements, /password :'channels'/);
  t.notRegex(statements, /\$/, 'the shell replaces nothing in it');
});

test('a process has enough time to stop', (t) => {
  const environment = { ...services['worker']?.environment, ...services['api']?.environment };
  const secondsOf = ({ name }: { readonly name: string }): number => Number(environment?.[name] ?? 0);
  const stopSeconds = secondsOf(settings.shutdownDelaySeconds) + secondsOf(settings.shutdownGraceSeconds);
  for (const name of processes) t.true(Number.parseInt(services[name]?.stop_grace_period ?? '0') >= stopSeconds + 10);
});

test('processes start after the database and Temporal are prepared', (t) => {
  for (const name of processes) {
    t.deepEqual(services[name]?.depends_on, {
      migrate: { condition: 'service_completed_successfully' },
      'search-attributes': { condition: 'service_completed_successfully' },
    });
  }
  for (const { depends_on: needs = {} } of Object.values(services)) {
    for (const [needed, { condition }] of Object.entries(needs)) {
      const check = services[needed]?.healthcheck;
      if (condition === 'service_healthy') t.truthy(check?.test, needed);
      else t.is(services[needed]?.restart, 'on-failure', needed);
    }
  }
});

test('the database has an init process, and Temporal needs no TXT lookup', (t) => {
  t.true(services['postgres']?.init);
  t.regex(services['temporal-namespace']?.environment?.['TEMPORAL_ADDRESS'] ?? '', /^passthrough:\/\/\/temporal:\d+$/);
});

test('the log is archived to the volume that backups and restores use', (t) => {
  const data = 'postgres:/var/lib/postgresql';
  const socket = 'postgres-socket:/var/run/postgresql';
  const parts = {
    postgres: { script: 'postgres.sh', needs: ['archive-wal.sh', 'restore-wal.sh'], volumes: [data, socket] },
    backup: { script: 'schedule-backups.sh', needs: ['base-backup.sh'], volumes: [socket] },
    restore: { script: 'restore.sh', needs: ['restore-wal.sh'], volumes: [data] },
  };
  for (const [name, { script, needs, volumes }] of Object.entries(parts)) {
    const service: Service = services[name]!;
    const mounts: readonly (string | undefined)[] = service.volumes ?? [];
    t.deepEqual(service.entrypoint, ['sh', `/scripts/${script}`], name);
    t.is(service.image, services['postgres']!.image, 'the same version of PostgreSQL');
    const scripts = [script, ...needs].map((file) => `./compose/${file}:/scripts/${file}:ro`);
    for (const mount of ['backups:/backups', ...volumes, ...scripts]) t.true(mounts.includes(mount), mount);
  }
  t.true(services['postgres']?.command?.includes('archive_command=sh /scripts/archive-wal.sh %p %f'));
});

test('base backups are always taken, and restores only by hand', (t) => {
  t.is(services['backup']?.restart, 'unless-stopped');
  t.is(services['backup']?.profiles, undefined);
  t.is(services['backup']?.network_mode, 'none', 'by the Unix socket');
  t.deepEqual(services['restore']?.profiles, ['restore']);
});

test('no secret has a default or an example value', (t) => {
  for (const [name, { environment = {} }] of Object.entries(services)) {
    for (const [variable, value] of Object.entries(environment)) {
      const isSecret = secretNames.includes(variable) || /PASSWORD|_PWD$/.test(variable);
      if (!isSecret || value === null) continue;
      t.regex(value, /\$\{[A-Z_]+:\?|^\$\{GRAFANA_PASSWORD:-\}$/, `${name} ${variable}`);
    }
  }
  const given = [...example.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([line]) => line);
  t.deepEqual(given, []);
});

test('the example lists every required variable', (t) => {
  const variables = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
  for (const name of variables) t.regex(example, new RegExp(`^#?${name}=`, 'm'));
  for (const [, name = ''] of example.matchAll(/^#?([A-Z_]+)=/gm)) {
    t.true(variables.has(name) || settingNames.includes(name), name);
  }
});

test('only the proxy is public, and the database has no outbound network', (t) => {
  for (const [name, { ports = [] }] of Object.entries(services)) {
    if (name !== 'proxy') for (const port of ports) t.regex(port, /^127\.0\.0\.1:/, name);
  }
  for (const name of ['postgres', 'restore', 'temporal']) t.deepEqual(services[name]?.networks, ['inside']);
});

test('every mounted file exists', (t) => {
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.filter((path) => path.startsWith('./')),
  );
  t.true(mounted.length > 0);
  for (const mount of mounted) t.true(existsSync(join(projectRoot, 'deploy', mount.split(':')[0]!)), mount);
});

test('the Temporal server and its tools use one version', (t) => {
  const version = services['temporal']?.image?.replace('temporalio/server:', '');
  for (const name of ['temporal-schema', 'temporal-namespace']) {
    t.is(services[name]?.image, `temporalio/admin-tools:${version}`);
  }
});

test('every image of others names a full version', (t) => {
  const own = services['api']?.image;
  const images = new Set(Object.values(services).map(({ image }) => image));
  for (const image of images) {
    if (image !== own) t.regex(image, /^[a-z0-9./-]+:v?\d+\.\d/, image);
  }
});

test('the proxy and Prometheus use the ports of the processes', (t) => {
  const proxy = readText('deploy/compose/Caddyfile');
  t.true(proxy.includes(`dynamic a api ${settings.apiPort.default}`));
  t.true(proxy.includes(`dynamic a gateway ${settings.gatewayPort.default}`));
  interface Scrapes {
    readonly scrape_configs: readonly { job_name: string; dns_sd_configs?: { names: string[]; port: number }[] }[];
  }
  const { scrape_configs: jobs } = readYaml<Scrapes>('deploy/compose/prometheus.yaml');
  const environment = imageEnvironment();
  for (const name of processes) {
    const [found] = jobs.find(({ job_name: job }) => job === `channels-${name}`)?.dns_sd_configs ?? [];
    t.deepEqual([found?.names, String(found?.port)], [[name], environment[`${name.toUpperCase()}_METRICS_PORT`]]);
  }
});
