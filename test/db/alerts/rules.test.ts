import test from 'ava';
import { listAlertRules, replaceAlertRules } from '../../../db/alerts/rules.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';
import { pluck } from '../../harness/pluck.ts';

test('rules of deleted workspaces are not listed', async (t) => {
  const { db, organization, user, workspace } = await tenantDatabase(t);
  const owner = { organizationId: organization.id, userId: user.id };
  const deleted = await insertWorkspace(db, { organizationId: organization.id, name: 'Deleted', kind: 'team' });
  const ofWorkspace = (workspaceId: number | null) => ({ workspaceId, minSeverity: 'warning', kinds: null }) as const;
  await replaceAlertRules(db, owner, [null, workspace.id, deleted.id].map(ofWorkspace));
  await db('workspaces').where({ id: deleted.id }).update({ deleted_at: db.fn.now() });
  const rules = await listAlertRules(db, owner);
  t.deepEqual(pluck(rules, 'workspaceId'), [null, workspace.publicId]);
});
