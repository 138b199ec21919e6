import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';
import { staffRoutes as routes } from '../../openapi/staff/routes.ts';
import { readInvariants } from '../../db/upkeep/invariant-runs.ts';
import { recordStaffSearch } from '../access/staff-audit.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';

export function mountInvariantRoutes(mount: Mount): void {
  const { db } = mount.deps;
  mountOperation(mount, routes.readInvariants, async (request) => {
    const { reason } = request.query;
    await recordStaffSearch(db, request, { action: 'invariant.read', organizationIds: [], reason });
    const run = await readInvariants(db);
    if (!run) return { lastRun: null, rules: [] };
    const { startedAt, endedAt, eventCount, deliveryCount, violations } = run;
    // `Object.entries` loses the type of the keys.
    const rules = Object.entries(invariantRules) as [InvariantRule, string][];
    return {
      lastRun: { startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString(), eventCount, deliveryCount },
      rules: rules.map(([rule, description]) => {
        const { count, samples } = violations[rule];
        return { rule, description, count, samples: [...samples] };
      }),
    };
  });
}
