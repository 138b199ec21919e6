import { insertAgentCredential } from '../../../../db/people/agent-credentials.ts';
import { tokenKeys } from '../../../harness/channels/channel-tokens.ts';
import { aWebhook } from '../../../harness/deliveries/ledger.ts';
import { aChannel, aKey, aMember } from '../../../harness/tenants.ts';
import { button, goTo } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

test('removing a member lists the secrets they know and rotates them', async (t) => {
  const { page, db, tenant, call, refused, signIn, checkAccessibility, complaints } = await dashboardSite(t);
  const { organization, workspace } = tenant;
  const channel = await aChannel(db, workspace);
  const leaving = await aMember(db, organization, 'admin');
  const key = await aKey(db, { organization, user: leaving });
  const at = { key, workspace: workspace.publicId };
  const { hmacSecret } = (await call(`GET /webhook-config/${channel.publicId}/hmac`, at)).body;
  await signIn(tenant.user.email);
  await goTo(page, 'People');
  await button(page, `Remove ${leaving.email}`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Signing secret of').waitFor();
  await dialog.getByLabel('Revoke the keys that they created').check();
  await dialog.getByLabel('Rotate these secrets').check();
  await checkAccessibility();
  await dialog.getByRole('button', { name: 'Remove member', exact: true }).click();
  await page.getByRole('dialog', { name: 'Rotated secrets' }).getByText('the old value expires').waitFor();
  await checkAccessibility();
  await refused('AUTH_REQUIRED', `GET /webhook-config/${channel.publicId}/hmac`, at);
  const own = { key: tenant.apiKey, workspace: workspace.publicId };
  t.not((await call(`GET /webhook-config/${channel.publicId}/hmac`, own)).body.hmacSecret, hmacSecret);
  t.deepEqual(complaints, []);
});

test('revoking an agent lists the secrets it has seen and rotates them', async (t) => {
  const { page, db, tenant, call, signIn, complaints } = await dashboardSite(t);
  const { organization, workspace, user } = tenant;
  const channel = await aChannel(db, workspace);
  await aWebhook(db, channel);
  const keys = await tokenKeys(db);
  const owner = { organizationId: organization.id, userId: user.id };
  const agent = await db.transaction((trx) =>
    insertAgentCredential(trx, keys, { ...owner, scopes: ['channel.reveal', 'webhook.manage'] }),
  );
  const at = { key: agent.token, workspace: workspace.publicId };
  t.is((await call(`GET /webhook-config/${channel.publicId}/hmac`, at)).status, 200);
  await signIn(user.email);
  await goTo(page, 'Agents');
  await button(page, `Revoke ${agent.credentialId}`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Rotate these secrets').check();
  await dialog.getByRole('button', { name: 'Revoke credential', exact: true }).click();
  await page.getByRole('dialog', { name: 'Rotated secrets' }).getByText('the old value expires').waitFor();
  t.is((await db('webhook_secrets').whereNotNull('expires_at')).length, 1);
  t.deepEqual(complaints, []);
});

test('a member without the developer role sees why secrets are hidden', async (t) => {
  const { page, db, tenant, signIn, checkAccessibility } = await dashboardSite(t);
  const { organization, workspace } = tenant;
  const channel = await aChannel(db, workspace);
  const member = await aMember(db, organization, 'member');
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: member.id, role: 'member' });
  const path = `/app/${organization.publicId}/${workspace.publicId}/channels/${channel.publicId}`;
  await signIn(member.email, `${path}/token`);
  await page.getByText('You need the developer role').waitFor();
  t.is(await page.getByRole('button', { name: 'Show token' }).count(), 0);
  await checkAccessibility();
});
