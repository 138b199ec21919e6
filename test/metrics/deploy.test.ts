import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { violationsOf } from '../../db/upkeep/invariant-runs.ts';
import { createApiMeter } from '../../metrics/api-metrics.ts';
import { createGatewayMeter } from '../../metrics/gateway-metrics.ts';
import { createWorkerMeter } from '../../metrics/worker-metrics.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const rules = read('deploy/prometheus/alerts.yaml');
const dashboard = read('deploy/grafana/dashboard.json');
const guide = read('docs/metrics.md');

function registeredNames(): Set<string> {
  const worker = createWorkerMeter();
  const api = createApiMeter();
  worker.backlog({ read: () => Promise.reject(new Error('not asked')), now: () => 0 });
  worker.leases({ read: () => Promise.reject(new Error('not asked')), now: () => 0, idleMs: () => undefined });
  worker.invariants({ read: () => Promise.reject(new Error('not asked')), now: () => 0 });
  return new Set([...api.register.names(), ...worker.register.names(), ...createGatewayMeter().register.names()]);
}

function namesIn(text: string): string[] {
  const found = text.match(/\b(?:channels|nodejs|process)_[a-z_]+\b/g) ?? [];
  return [...new Set(found.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))];
}

for (const [what, text] of Object.entries({ rules, dashboard, guide })) {
  test(`every metric in the ${what} exists`, (t) => {
    const known = registeredNames();
    t.true(namesIn(text).length > 4);
    t.deepEqual(
      namesIn(text).filter((name) => !known.has(name)),
      [],
    );
  });
}

test('every metric is documented and on the dashboard', (t) => {
  const [explained, shown] = [new Set(namesIn(guide)), new Set(namesIn(dashboard))];
  t.deepEqual(
    [...registeredNames()].filter((name) => !explained.has(name) || !shown.has(name)),
    [],
  );
});

test('each alert rule links to a section of the guide', (t) => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const links = [...rules.matchAll(/runbook_url: docs\/metrics\.md#(\w+)/g)].map(([, anchor]) => anchor);
  t.deepEqual(
    links,
    alerts.map((name) => name.toLowerCase()),
  );
  t.deepEqual(
    alerts.filter((name) => !guide.includes(`\n### ${name}\n`)),
    [],
  );
});

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
  const violations = violationsOf(() => ({ count: 0, samples: [] }));
  const run = { startedAt: new Date(), endedAt: new Date(), eventCount: 0, deliveryCount: 0, violations };
  worker.invariants({ read: () => Promise.resolve({ run, since: run.endedAt }), now: () => Date.now() });
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
    'workflow',
  ]);
  t.true(text.includes('channels_http_requests_total{method="other",route="none",status="404"} 1'));
});
