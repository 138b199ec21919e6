import type { Knex } from 'knex';
import { organizationLimitNames } from '../../contract/identity/limits.ts';
import { workspaceKinds } from '../../contract/identity/workspace-kinds.ts';
import { isDuplicateOf } from '../../db/core/duplicates.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { insertApiKey } from '../../db/organizations/api-keys.ts';
import { setOrganizationLimit } from '../../db/organizations/limits.ts';
import { findOrganization, insertOrganization, type Organization } from '../../db/organizations/organizations.ts';
import { EXTERNAL_ID_INDEX, insertWorkspace } from '../../db/organizations/workspaces.ts';
import { ensureUser, findOldestAdmin, findUser, setOrganizationRole, type User } from '../../db/people/users.ts';
import { type AdminDeps, recordOperation } from './deps.ts';
import { oneOf, readEmail, readNumber, readOptions, UsageError } from './options.ts';

/** Fits the column, including the daily factor. */
const MAX_LIMIT = 100_000_000;

/** Creates an organization, its admin and a key with full access. Prints the token once. */
export async function createOrganization(deps: Pick<AdminDeps, 'db' | 'secretBox'>, args: readonly string[]) {
  const { name, 'admin-email': address } = readOptions(args, { needed: ['name', 'admin-email'] });
  const email = readEmail('admin-email', address);
  const { tokenSalt } = await readInstallation(deps.db);
  return await deps.db.transaction(async (trx) => {
    const organization = await insertOrganization(trx, { name });
    const place = { organizationId: organization.id };
    await recordOperation(trx, { ...place, action: 'organization.created', targetId: organization.publicId });
    const user = await makeAdmin(trx, organization, email);
    const keys = { secretBox: deps.secretBox(), tokenSalt };
    const key = await insertApiKey(trx, keys, { ...place, userId: user.id, name: 'First key', scopes: null });
    await recordOperation(trx, { ...place, action: 'apiKey.created', targetId: key.publicId });
    return { organizationId: organization.publicId, userId: user.publicId, keyId: key.publicId, apiKey: key.token };
  });
}

/** Makes a user an admin, for organizations whose last admin has left. */
export async function addAdmin({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'email'] });
  const email = readEmail('email', options.email);
  const organization = await organizationOption(db, options.organization);
  const user = await db.transaction((trx) => makeAdmin(trx, organization, email));
  return { organizationId: organization.publicId, userId: user.publicId, email: user.email, role: 'admin' };
}

async function makeAdmin(trx: Knex, { id: organizationId }: Pick<Organization, 'id'>, email: string): Promise<User> {
  const user = await ensureUser(trx, { email });
  await setOrganizationRole(trx, { organizationId, userId: user.id, role: 'admin' });
  const reason = 'role: admin';
  await recordOperation(trx, { organizationId, action: 'member.added', targetId: user.publicId, reason });
  return user;
}

/** Creates a key with full access on behalf of an organization admin. Prints the token once. */
export async function createKey({ db, secretBox }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'name'], optional: ['email'] });
  const organization = await organizationOption(db, options.organization);
  const userId = await holderOf(db, organization, options.email);
  const { tokenSalt } = await readInstallation(db);
  return await db.transaction(async (trx) => {
    const owner = { organizationId: organization.id, userId };
    const keys = { secretBox: secretBox(), tokenSalt };
    const key = await insertApiKey(trx, keys, { ...owner, name: options.name, scopes: null });
    await recordOperation(trx, {
      organizationId: organization.id,
      action: 'apiKey.created',
      targetId: key.publicId,
    });
    return { organizationId: organization.publicId, keyId: key.publicId, name: options.name, apiKey: key.token };
  });
}

async function holderOf(db: Knex, organization: Organization, address: string | undefined): Promise<number> {
  const organizationId = organization.id;
  if (address === undefined) {
    const admin = await findOldestAdmin(db, { organizationId });
    if (!admin) throw new UsageError(`${organization.publicId} has no admin. Add one with add-admin.`);
    return admin.id;
  }
  const email = readEmail('email', address);
  const user = await findUser(db, { email });
  const isAdmin = user && (await findOldestAdmin(db, { organizationId, userId: user.id })) !== undefined;
  if (!isAdmin)
    throw new UsageError(`${email} is not an admin of ${organization.publicId}. Pass the email address of an admin.`);
  return user.id;
}

export async function setLimit({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'limit', 'max'] });
  const limit = oneOf('limit', organizationLimitNames, options.limit);
  const problem = `Invalid --max '${options.max}'. Use a number up to ${MAX_LIMIT}, or default.`;
  const max = options.max === 'default' ? null : readNumber(options.max, { min: 0, max: MAX_LIMIT, problem });
  const organization = await organizationOption(db, options.organization);
  return await db.transaction(async (trx) => {
    const limits = await setOrganizationLimit(trx, { organizationId: organization.id, limit, max });
    await recordOperation(trx, {
      organizationId: organization.id,
      action: 'organization.limited',
      targetId: organization.publicId,
      reason: `${limit}: ${max ?? 'default'}`,
    });
    return { organizationId: organization.publicId, limits };
  });
}

export async function createWorkspace({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'name'], optional: ['kind', 'external-id'] });
  const kind = oneOf('kind', workspaceKinds, options.kind ?? 'team');
  const externalId = options['external-id'];
  if (externalId !== undefined && kind !== 'customer') throw new UsageError('--external-id requires --kind customer.');
  const { id: organizationId } = await organizationOption(db, options.organization);
  const facts = { organizationId, name: options.name, kind, ...(externalId !== undefined && { externalId }) };
  try {
    return await db.transaction(async (trx) => {
      const { id: workspaceId, publicId, name } = await insertWorkspace(trx, facts);
      await recordOperation(trx, { organizationId, workspaceId, action: 'workspace.created', targetId: publicId });
      return { workspaceId: publicId, kind, name };
    });
  } catch (error) {
    if (!isDuplicateOf(error, EXTERNAL_ID_INDEX)) throw error;
    throw new UsageError('Another customer of the organization has this --external-id. Use a different one.', {
      cause: error,
    });
  }
}

async function organizationOption(db: Knex, publicId: string): Promise<Organization> {
  const organization = await findOrganization(db, publicId);
  if (!organization) throw new UsageError(`No organization '${publicId}'. Pass the id of an organization (org_…).`);
  return organization;
}
