import test from 'ava';
import { invariantRules } from '../../../contract/upkeep/invariants.ts';
import { recordInvariantRun, violationsOf } from '../../../db/upkeep/invariant-runs.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { aStaffKey } from '../../harness/people/staff.ts';

test('only staff read the findings of the last ledger check', async (t) => {
  const { db, call, apiKey } = await tenantStage(t);
  const { token: key } = await aStaffKey(db);
  const route = 'GET /staff/invariants?reason=Alert';
  t.deepEqual((await call(route, { key })).body, { lastRun: null, rules: [] });

  const holding = violationsOf(() => ({ count: 0, samples: [] }));
  const early = { startedAt: new Date('2026-01-01T04:00:00Z'), eventCount: 1, deliveryCount: 1, violations: holding };
  await recordInvariantRun(db, early);
  const violations = { ...holding, retrying_overdue: { count: 12, samples: ['wd_00000001'] } };
  const late = { startedAt: new Date('2026-01-02T04:00:00Z'), eventCount: 7, deliveryCount: 9 };
  await recordInvariantRun(db, { ...late, violations: holding });
  await recordInvariantRun(db, { ...late, violations });

  const { body } = await call(route, { key });
  t.like(body.lastRun, { startedAt: '2026-01-02T04:00:00.000Z', eventCount: 7, deliveryCount: 9 });
  const rules: Record<string, unknown>[] = body.rules;
  t.deepEqual(fieldsOf(rules, 'rule'), Object.keys(invariantRules));
  const broken = rules.filter(({ count }) => count !== 0);
  t.deepEqual(broken, [
    { rule: 'retrying_overdue', description: invariantRules.retrying_overdue, ...violations.retrying_overdue },
  ]);
  t.is((await db('invariant_runs')).length, 2, 'a repeated check replaces its row');
  t.is((await call(route, { key: apiKey })).status, 403);
});
