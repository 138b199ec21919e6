import test from 'ava';
import { createOrganizationOf } from '../../../db/organizations/organization-of-workspace.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aTenant } from '../../harness/tenants.ts';

test('the organization of a workspace is read once', async (t) => {
  const { db } = await testDatabase(t);
  const { organization, workspace } = await aTenant(db);
  const organizationOf = createOrganizationOf(db);
  t.is(await organizationOf('ws_00000000'), undefined);
  t.is(await organizationOf(workspace.publicId), organization.publicId);
  let queryCount = 0;
  db.on('query', () => queryCount++);
  t.is(await organizationOf(workspace.publicId), organization.publicId);
  t.is(queryCount, 0);
});
