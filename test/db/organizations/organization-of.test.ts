import test from 'ava';
import { createOrganizationOf } from '../../../db/organizations/organization-of.ts';
import { insertErasure } from '../../../db/erasures/erasures.ts';
import { aTenant } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

test('the organization of a workspace is read once', async (t) => {
  const { db, organization, workspace } = await tenantDatabase(t);
  const organizationOf = createOrganizationOf(db);
  t.is(await organizationOf('ws_00000000'), undefined);
  t.is(await organizationOf(workspace.publicId), organization.publicId);
  let queryCount = 0;
  db.on('query', () => queryCount++);
  t.is(await organizationOf(workspace.publicId), organization.publicId);
  t.is(queryCount, 0);
});

test('what belongs to an organization leads to it', async (t) => {
  const { db, organization } = await tenantDatabase(t);
  const { organization: other, workspace } = await aTenant(db);
  const reason = 'by request';
  const scope = { kind: 'workspace', eventId: null, sender: null, workspaceId: workspace.id, channelId: null } as const;
  const erasureId = await insertErasure(db, { ...scope, organizationId: other.id, reason });
  const organizationOf = createOrganizationOf(db);
  t.is(await organizationOf(erasureId), other.publicId);
  t.not(await organizationOf(erasureId), organization.publicId);
});
