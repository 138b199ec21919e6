import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';
import type { WorkspaceKind } from '../../contract/identity/workspace-kinds.ts';
import { insertApiKey, revealApiKey } from '../../db/organizations/api-keys.ts';
import { findLiveChannel, insertChannel } from '../../db/channels/channels.ts';
import { linkAccounts } from '../../db/channels/link-accounts.ts';
import { insertCredential } from '../../db/channels/credentials.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { ensureDemoStaffKey } from '../../db/staff/keys.ts';
import {
  findOrganizationOfAdmin,
  insertOrganization,
  type Organization,
} from '../../db/organizations/organizations.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';
import { ensureUser, setOrganizationRole, setStaff, type User } from '../../db/people/users.ts';
import { findWorkspaceByName, insertWorkspace, type Workspace } from '../../db/organizations/workspaces.ts';
import type { AdminDeps } from './deps.ts';
import { staffKeyExpiry } from './staff.ts';

interface Seeding {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
  readonly signingRing: SigningRing;
}

interface DemoChannel {
  readonly workspace: Workspace;
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly name: string;
  /** Optional. As the simulator has it. */
  readonly businessAccountId?: string;
}

const KEY_NAME = 'Demo key';
/** Advisory lock: two concurrent starts must not create two demos. */
const SEED_LOCK = 3_907_115;

/** Creates two demo organizations. Returns existing records instead of duplicates. */
export async function seedDemo({ db, secretBox, signingRing, config }: AdminDeps) {
  const { tokenSalt } = await readInstallation(db);
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [SEED_LOCK]);
    const seeding: Seeding = { db: trx, secretBox: secretBox(), tokenSalt, signingRing: signingRing() };
    // A staff key gives access to every organization, so it is never created in production.
    const staffApiKey = config.deployment === 'development' ? await seedStaff(seeding) : null;
    return { ...(await seedMain(seeding)), other: await seedOther(seeding), staffApiKey };
  });
}

async function seedMain(seeding: Seeding) {
  const { organization, user } = await ensureOrganization(seeding, { name: 'Demo', email: 'admin@demo.example' });
  const team = await ensureWorkspace(seeding, organization, { name: 'Team', kind: 'team' });
  const customer = await ensureWorkspace(seeding, organization, { name: 'First customer', kind: 'customer' });
  const channel = (type: ChannelType, resourceId: string, name: string) =>
    ensureChannel(seeding, { workspace: team, type, resourceId, name });
  const number = { resourceId: '100000000000001', businessAccountId: '400000000000002' };
  // As onboarding names it. The simulator's events have this number.
  const name = 'Demo number · +1 555 078 3881';
  const chatapp = await ensureChannel(seeding, { workspace: team, type: 'chatapp', name, ...number });
  const photoapp = await channel('photoapp', '200000000000001', 'Demo photo account');
  const pageapp = await channel('pageapp', '300000000000001', 'Demo Page');
  await linkAccounts(seeding.db, {
    channel: { id: pageapp.number, workspaceId: team.id },
    type: 'pageapp',
    resourceId: pageapp.resourceId,
    linkedResourceId: photoapp.resourceId,
  });
  const shown = ({ id, resourceId }: { id: string; resourceId: string }) => ({ id, resourceId });
  return {
    organizationId: organization.publicId,
    workspaceId: team.publicId,
    customerWorkspaceId: customer.publicId,
    apiKey: await ensureKey(seeding, organization, user),
    channels: { chatapp: shown(chatapp), photoapp: shown(photoapp), pageapp: shown(pageapp) },
  };
}

async function seedOther(seeding: Seeding) {
  const { organization, user } = await ensureOrganization(seeding, { name: 'Other', email: 'admin@other.example' });
  const workspace = await ensureWorkspace(seeding, organization, { name: 'Team', kind: 'team' });
  const channel = await ensureChannel(seeding, {
    workspace,
    type: 'chatapp',
    resourceId: '100000000000002',
    name: 'Other number',
  });
  const apiKey = await ensureKey(seeding, organization, user);
  return { apiKey, workspaceId: workspace.publicId, channelId: channel.id };
}

async function seedStaff({ db, ...keys }: Seeding): Promise<string> {
  const user = await ensureUser(db, { email: 'support@demo.example' });
  await setStaff(db, user.id, { isStaff: true });
  return await ensureDemoStaffKey(db, keys, { userId: user.id, expiresAt: staffKeyExpiry() });
}

async function ensureOrganization({ db }: Seeding, { name, email }: { name: string; email: string }) {
  const user = await ensureUser(db, { email });
  const known = await findOrganizationOfAdmin(db, user.id);
  if (known) return { organization: known, user };
  const organization = await insertOrganization(db, { name });
  await setOrganizationRole(db, { organizationId: organization.id, userId: user.id, role: 'admin' });
  return { organization, user };
}

async function ensureWorkspace(
  { db }: Seeding,
  { id: organizationId }: Organization,
  { name, kind }: { name: string; kind: WorkspaceKind },
): Promise<Workspace> {
  const known = await findWorkspaceByName(db, { organizationId, name, kind });
  return known ?? (await insertWorkspace(db, { organizationId, name, kind }));
}

async function ensureKey(
  { db, secretBox, tokenSalt }: Seeding,
  organization: Organization,
  user: User,
): Promise<string> {
  const known = await revealApiKey(db, secretBox, { organizationId: organization.id, name: KEY_NAME });
  if (known !== undefined) return known;
  const key = { organizationId: organization.id, userId: user.id, name: KEY_NAME, scopes: null };
  return (await insertApiKey(db, { secretBox, tokenSalt }, key)).token;
}

async function ensureChannel({ db, secretBox }: Seeding, { workspace, name, ...account }: DemoChannel) {
  const { type, resourceId } = account;
  const known = await findLiveChannel(db, { type, resourceId });
  if (known) return { number: known.id, id: known.publicId, resourceId };
  const credential = await insertCredential(db, secretBox, { workspaceId: workspace.id, token: `demo-${resourceId}` });
  const made = await insertChannel(db, secretBox, {
    workspaceId: workspace.id,
    credentialId: credential.id,
    ...account,
    displayName: name,
    connectionType: 'manual',
  });
  return { number: made.id, id: made.publicId, resourceId };
}
