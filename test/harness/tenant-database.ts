import { testDatabase, type TestDatabaseOptions } from './database/database.ts';
import { aTenant } from './tenants.ts';
import type { Lifetime } from './time/lifetime.ts';

/** A database for one test, with one tenant. */
export async function tenantDatabase(t: Lifetime, options: TestDatabaseOptions = {}) {
  const database = await testDatabase(t, options);
  const tenant = await aTenant(database.db);
  return { ...database, ...tenant, tenant };
}
