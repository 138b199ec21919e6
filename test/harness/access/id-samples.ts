import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { type IdKind, idPrefixes, randomId } from '../../../contract/ids.ts';
import { insertAgentCredential } from '../../../db/people/agent-credentials.ts';
import { insertApiKey } from '../../../db/organizations/api-keys.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { type ReplayPlace, takeSnapshot } from '../../../db/replays/plan.ts';
import { insertErasure } from '../../../db/erasures/erasures.ts';
import { insertReplay } from '../../../db/replays/replays.ts';
import type { User } from '../../../db/people/users.ts';
import { aRollout } from '../channels/default-webhooks.ts';
import { anAlert } from '../deliveries/alerts.ts';
import { aContainer } from '../containers/containers.ts';
import { aDestination, aLedgerDelivery } from '../deliveries/ledger.ts';
import { aScheduledMessage, aScheduledPost } from '../scheduled/scheduled.ts';
import { aPortal } from './portals.ts';
import { aListener } from '../listeners/listeners.ts';
import { aChannel, aMember, aTenant, type Tenant, testSecretBox } from '../tenants.ts';

/** A tenant with one row for each kind of id in a path. */
export interface SampledTenant extends Tenant {
  readonly member: User;
  readonly developer: User;
  readonly bystander: User;
  id(kind: IdKind | 'platformId'): string;
}

/** @param given Optional. Default: a new tenant. */
export async function aSampledTenant(db: Knex, given?: Tenant): Promise<SampledTenant> {
  const tenant = given ?? (await aTenant(db));
  const { organization, workspace, user } = tenant;
  const team = await aTeam(db, tenant);
  const channel = await aChannel(db, workspace);
  const { tokenSalt } = await readInstallation(db);
  const keys = { secretBox: testSecretBox, tokenSalt };
  const owner = { organizationId: organization.id, userId: user.id };
  const place = { organizationId: organization.id, workspaceId: workspace.id, channelId: channel.id };
  const agent = await db.transaction((trx) => insertAgentCredential(trx, keys, { ...owner, scopes: ['channel.read'] }));
  const ids: Partial<Record<IdKind, string>> = {
    organization: organization.publicId,
    workspace: workspace.publicId,
    channel: channel.publicId,
    user: team.member.publicId,
    apiKey: (await insertApiKey(db, keys, { ...owner, name: 'sample', scopes: null })).publicId,
    agentCredential: agent.credentialId,
    delivery: (await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' })).publicId,
    subscription: await aSubscription(db, channel),
    container: (await aContainer(db, { channel, workspace })).publicId,
    invitation: await anInvitation(db, tenant),
    onboardingLink: await aLink(db, tenant),
    listener: (await aListener(db, channel)).publicId,
    webhookRollout: await aRollout(db, tenant),
    alert: await anAlert(db, place),
    erasure: await anErasure(db, place),
    portalLink: (await aPortal(db, tenant)).publicId,
    replay: await aReplay(db, place),
    scheduledPost: (await aScheduledPost(db, { channel, workspace })).publicId,
    scheduledMessage: (await aScheduledMessage(db, { channel, workspace })).publicId,
  };
  return {
    ...tenant,
    ...team,
    id: (kind) => (kind === 'platformId' ? platformIdSample : (ids[kind] ?? noSample(kind))),
  };
}

/** A member and a developer of the workspace, and a member of the organization only. */
async function aTeam(db: Knex, { organization, workspace }: Tenant) {
  const member = await aMember(db, organization, 'member');
  const developer = await aMember(db, organization, 'member');
  const bystander = await aMember(db, organization, 'member');
  await db('workspace_members').insert([
    { workspace_id: workspace.id, user_id: member.id, role: 'member' },
    { workspace_id: workspace.id, user_id: developer.id, role: 'developer' },
  ]);
  return { member, developer, bystander };
}

/** Has the platform's format. The service stores no such id. */
export const platformIdSample = '1234567890';

function noSample(kind: IdKind): never {
  throw new Error(`A path names a ${kind} (${idPrefixes[kind]}…): give it a row in ${import.meta.filename}`);
}

async function anErasure(db: Knex, place: { organizationId: number; workspaceId: number }): Promise<string> {
  const scope = { kind: 'workspace', eventId: null, sender: null } as const;
  return await insertErasure(db, { ...scope, ...place, channelId: null, reason: 'sample' });
}

async function aSubscription(db: Knex, channel: { id: number; publicId: string }): Promise<string> {
  const destinationId = await aDestination(db, channel);
  const publicId = randomId('subscription', randomBytes);
  await db('subscriptions').insert({ public_id: publicId, channel_id: channel.id, destination_id: destinationId });
  return publicId;
}

async function aReplay(db: Knex, place: ReplayPlace): Promise<string> {
  const since = new Date(0);
  const until = new Date();
  const criteria = { place, since, until, statuses: ['exhausted'], eventTypes: null, destinationSlot: null } as const;
  const snapshot = await takeSnapshot(db);
  return await insertReplay(db, { ...criteria, snapshot, destination: null, ratePerSecond: 50, matched: 0 });
}

async function anInvitation(db: Knex, { organization, user }: Tenant): Promise<string> {
  const publicId = randomId('invitation', randomBytes);
  await db('invitations').insert({
    public_id: publicId,
    organization_id: organization.id,
    email: 'invited@example.com',
    organization_role: 'member',
    invited_by: user.id,
    token_hash: randomBytes(32),
    expires_at: new Date(Date.now() + 3_600_000),
  });
  return publicId;
}

async function aLink(db: Knex, { organization, user }: Tenant): Promise<string> {
  const publicId = randomId('onboardingLink', randomBytes);
  await db('onboarding_links').insert({
    public_id: publicId,
    organization_id: organization.id,
    label: 'sample',
    channel_type: 'chatapp',
    token_hash: randomBytes(32),
    token_encrypted: testSecretBox.seal('token', `onboarding_links.token/${publicId}`),
    created_by: user.id,
  });
  return publicId;
}
