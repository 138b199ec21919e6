import { createBodyBox } from '../../db/core/body-box.ts';
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import { insertApiKey, type NewApiKey } from '../../db/organizations/api-keys.ts';
import { insertChannel } from '../../db/channels/channels.ts';
import { insertCredential } from '../../db/channels/credentials.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { insertOrganization, type Organization } from '../../db/organizations/organizations.ts';
import { createSecretBox } from '../../db/core/secret-box.ts';
import { createSigningRing } from '../../db/core/signing-keys.ts';
import { ensureUser, type OrganizationRole, setOrganizationRole, type User } from '../../db/people/users.ts';
import { insertWorkspace, type Workspace } from '../../db/organizations/workspaces.ts';

const keyRing = [{ id: 'test', bytes: Buffer.alloc(32, 7) }];
export const testSecretBox = createSecretBox(keyRing);
export const testSigningRing = createSigningRing(keyRing);

export const testBodyBox = createBodyBox({
  keys: [{ id: 'test', bytes: Buffer.alloc(32, 7) }],
  encryptsBodies: false,
});

export interface Tenant {
  readonly organization: Organization;
  readonly user: User;
  readonly workspace: Workspace;
  readonly apiKey: string;
}

export async function aTenant(db: Knex): Promise<Tenant> {
  const organization = await insertOrganization(db, { name: 'Acme' });
  const user = await aMember(db, organization, 'admin');
  const workspace = await insertWorkspace(db, { organizationId: organization.id, name: 'Team', kind: 'team' });
  return { organization, user, workspace, apiKey: await aKey(db, { organization, user }) };
}

export async function aMember(db: Knex, organization: Organization, role: OrganizationRole): Promise<User> {
  const user = await ensureUser(db, { email: `${randomBytes(6).toString('hex')}@example.com` });
  await setOrganizationRole(db, { organizationId: organization.id, userId: user.id, role });
  return user;
}

type KeyOf = { organization: Organization; user: User; scopes?: readonly Scope[] } & Pick<
  NewApiKey,
  'workspaceIds' | 'allowedCidrs' | 'ownedByOrganization'
>;

/** With scopes, the key of an agent unless the organization owns it. */
export async function aKey(
  db: Knex,
  { organization, user, scopes, workspaceIds, allowedCidrs, ownedByOrganization = false }: KeyOf,
): Promise<string> {
  const { tokenSalt } = await readInstallation(db);
  const keys = { secretBox: testSecretBox, tokenSalt };
  const owner = { organizationId: organization.id, userId: user.id };
  const key = { ...owner, workspaceIds, allowedCidrs, ownedByOrganization, name: 'test', scopes: scopes ?? null };
  return (await insertApiKey(db, keys, key)).token;
}

export interface TestChannel {
  readonly id: number;
  readonly publicId: string;
}

export async function aChannel(
  db: Knex,
  workspace: Workspace,
  { type = 'chatapp', resourceId = randomBytes(6).toString('hex') }: { type?: ChannelType; resourceId?: string } = {},
): Promise<TestChannel> {
  const credential = await insertCredential(db, testSecretBox, { workspaceId: workspace.id, token: 'platform-token' });
  return await insertChannel(db, testSecretBox, {
    workspaceId: workspace.id,
    credentialId: credential.id,
    type,
    resourceId,
    displayName: `${type} ${resourceId}`,
    connectionType: 'token',
  });
}
