import { organizationLimitNames } from '../../contract/identity/limits.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { setOrganizationLimit } from '../../db/organizations/limits.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { oneOf, organizationOption, readOptions, UsageError } from './options.ts';

/** Fits the column, including the daily factor. */
const MAX_LIMIT = 100_000_000;

export async function setLimit({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'limit', 'max'] });
  const limit = oneOf('limit', organizationLimitNames, options.limit);
  const max = options.max === 'default' ? null : countOf(options.max);
  const organization = await organizationOption(db, options.organization);
  return await db.transaction(async (trx) => {
    const limits = await setOrganizationLimit(trx, { organizationId: organization.id, limit, max });
    const audit = operatorAudit(organization.id);
    const reason = `${limit}: ${max ?? 'default'}`;
    await recordAudit(trx, { ...audit, action: 'organization.limited', targetId: organization.publicId, reason });
    return { organizationId: organization.publicId, limits };
  });
}

function countOf(given: string): number {
  if (!/^\d{1,9}$/.test(given) || Number(given) > MAX_LIMIT) {
    throw new UsageError(`Invalid --max '${given}'. Use a number up to ${MAX_LIMIT}, or default.`);
  }
  return Number(given);
}
