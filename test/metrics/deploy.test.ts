import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { projectRoot } from '../../dev/checks/source-files.ts';
import type { DatabaseState } from '../../db/upkeep/database-state.ts';
import { violationsOf } from '../../db/upkeep/invariant-runs.ts';
import { addCertificateMetrics } from '../../metrics/certificate-metrics.ts';
import { createApiMeter } from '../../metrics/api-metrics.ts';
import { createGatewayMeter } from '../../metrics/gateway-metrics.ts';
import { addPoolMetrics } from '../../metrics/pool-metrics.ts';
import { addTraceMetrics } from '../../metrics/trace-metrics.ts';
import { createWorkerMeter, type WorkerMeter } from '../../metrics/worker-metrics.ts';
import { addStateMetrics } from '../../metrics/state-metrics.ts';
import { addTemporalMetrics } from '../../metrics/temporal-metrics.ts';
import { unread } from './unread.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const chartFiles = 'deploy/helm/messaging-channels/files';
const rules = read(`${chartFiles}/alerts.yaml`);
const folder = (path: string): string[] => readdirSync(join(projectRoot, path)).map((name) => `${path}/${name}`);
const dashboards = folder(`${chartFiles}/dashboards`).map(read).join('\n');
const guide = read('docs/metrics.md');
const onCall = read('docs/on-call.md');

function registeredNames(): Set<string> {
  const worker = createWorkerMeter();
  const api = createApiMeter();
  addStateMetrics(worker.register, unread);
  addTemporalMetrics(worker.register, {
    read: () => Promise.resolve(undefined),
    unreachableMs: () => Promise.resolve(0),
    blockedCounts: () => Promise.resolve(undefined),
  });
  worker.pump.watch(() => undefined);
  addCertificateMetrics(worker.register, () => Promise.resolve([]));
  addPoolMetrics(worker.register, { db: undefined as never, pools: () => ({}) });
  addTraceMetrics(worker.register, () => ({ exported: 0, failed: 0, dropped: 0 }));
  return new Set([...api.register.names(), ...worker.register.names(), ...createGatewayMeter().register.names()]);
}

/** Values of the label `certificate`, which look like metrics. */
const certificates = new Set(['temporal_ca', 'temporal_client']);

function namesIn(text: string): string[] {
  const all = text.match(/\b(?:channels|nodejs|process|temporal)_[a-z_]+\b/g) ?? [];
  const found = all.filter((name) => !certificates.has(name));
  return [...new Set(found.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))];
}

for (const [what, text] of Object.entries({ rules, dashboards, guide, 'on-call guide': onCall })) {
  test(`every metric in the ${what} exists`, (t) => {
    const known = registeredNames();
    t.true(namesIn(text).length > 4);
    t.deepEqual(
      namesIn(text).filter((name) => !known.has(name)),
      [],
    );
  });
}

test('every metric is documented and on a dashboard', (t) => {
  const explained = new Set(namesIn(guide));
  const shown = new Set(namesIn(dashboards));
  t.deepEqual(
    [...registeredNames()].filter((name) => !explained.has(name) || !shown.has(name)),
    [],
  );
});

test('each alert rule has a complete section of the on-call guide', (t) => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const links = [...rules.matchAll(/runbook_url: docs\/on-call\.md#(\w+)/g)].map(([, anchor]) => anchor);
  t.deepEqual(
    links,
    alerts.map((name) => name.toLowerCase()),
  );
  const sections = onCall.split(/^#{2,3} /m).filter((section) => section.startsWith('Channels'));
  t.deepEqual(
    sections.map((section) => section.split('\n', 1)[0]),
    alerts,
    'in the order of the rules',
  );
  for (const section of sections) t.regex(section, /^- \*\*Means\*\*: [^]*^- \*\*Tells\*\*: [^]*^- \*\*Do\*\*: /m);
});

interface RuleTests {
  readonly tests: readonly {
    readonly input_series: readonly { readonly series: string }[];
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  }[];
}

const ruleTests = folder('deploy/prometheus/tests').flatMap((path) => (parse(read(path)) as RuleTests).tests);

test('each alert is tested to fire and not to fire', (t) => {
  const cases = ruleTests.flatMap((each) => each.alert_rule_test);
  const tested = (fires: boolean) =>
    new Set(cases.filter((each) => each.exp_alerts.length > 0 === fires).map((each) => each.alertname));
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!).toSorted();
  t.deepEqual([...tested(true)].toSorted(), alerts);
  t.deepEqual([...tested(false)].toSorted(), alerts);
});

test('the tests of alerts use metrics that exist', (t) => {
  const known = registeredNames();
  const names = ruleTests.flatMap(({ input_series }) => namesIn(input_series.map(({ series }) => series).join('\n')));
  t.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  );
});

test('every recorded series that an alert or a dashboard uses is recorded', (t) => {
  const recorded = new Set([...rules.matchAll(/- record: (\S+)/g)].map(([, name]) => name));
  const used = `${rules}\n${dashboards}\n${guide}`.match(/\bchannels:[a-z_]+:[a-z0-9_]+/g) ?? [];
  t.true(used.length > 8);
  t.deepEqual(
    used.filter((name) => !recorded.has(name)),
    [],
  );
});

test('the dashboards have names of their own and only known data sources', (t) => {
  const parsed = folder(`${chartFiles}/dashboards`).map(
    (path) => JSON.parse(read(path)) as { uid: string; panels: unknown[] },
  );
  t.is(new Set(parsed.map(({ uid }) => uid)).size, parsed.length);
  for (const { uid, panels } of parsed) {
    const text = JSON.stringify(panels);
    t.deepEqual(new Set(text.match(/"uid":"[^"]*"/g)), new Set(['"uid":"${datasource}"']), uid);
  }
});

const databaseState: DatabaseState = {
  seesOthers: true,
  oldestTransactionSeconds: 0,
  oldestXminAge: 0,
  lockWaitCount: 0,
  oldestLockWaitSeconds: 0,
  connectionCount: 1,
  connectionLimit: 97,
  walBytes: 1,
  replicaLagSeconds: 1,
  replicaLagBytes: 1,
  slotRetainedBytes: 1,
  inactiveSlotCount: 0,
  databaseBytes: 1,
  tables: [{ table: 'events', liveRows: 1, deadRows: 0, vacuumSeconds: 1 }],
};

function measureOthers(worker: WorkerMeter): void {
  worker.pump.watch(() => ({ shardCount: 1, turnedAgoMs: 3 }));
  worker.pump.claimed({ durationMs: 3 });
  worker.pump.settled({ outcome: 'accepted', durationMs: 3 });
  const retention = [{ task: 'events', seconds: 1 }] as const;
  const violations = violationsOf(() => ({ count: 0, samples: [] }));
  const run = { startedAt: new Date(), endedAt: new Date(), eventCount: 0, deliveryCount: 0, violations };
  addStateMetrics(worker.register, {
    ...unread,
    database: () => Promise.resolve(databaseState),
    upkeep: () => Promise.resolve({ retention, endingCredentialCount: 0 }),
    invariants: () => Promise.resolve({ run, since: run.endedAt }),
  });
}

test('no label of a metric can be an id', async (t) => {
  const worker = createWorkerMeter();
  const api = createApiMeter();
  worker.attempted({ outcome: 'accepted', durationMs: 3 });
  worker.delivered(12);
  worker.workflowStarted({ workflow: 'deliverWebhook', how: 'adopted' });
  api.requestServed({ method: 'BREW', route: undefined, status: 404, seconds: 0.1 });
  api.workflowStarted('saveWebhook', 'ended');
  const gateway = createGatewayMeter();
  gateway.ended({ product: 'none', outcome: 'refused', code: 'MISSING_BEARER', totalMs: 1, platformMs: 0 });
  gateway.platformCalled({ purpose: 'call', status: 200, durationMs: 1 });
  measureOthers(worker);
  const texts = await Promise.all([worker, api, gateway].map(({ register }) => register.expose()));
  const text = texts.join('');
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  t.deepEqual([...labels].toSorted(), [
    'answer',
    'code',
    'found',
    'how',
    'le',
    'method',
    'outcome',
    'product',
    'purpose',
    'quantile',
    'route',
    'rule',
    'state',
    'status',
    'table',
    'task',
    'workflow',
  ]);
  t.true(text.includes('channels_http_requests_total{method="other",route="none",status="404"} 1'));
});
