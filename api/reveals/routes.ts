import { revealRoutes as routes } from '../../openapi/reveals/routes.ts';
import { revokeApiKey } from '../../db/organizations/api-keys.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import {
  findKnownMember,
  findCreatedKeys,
  findMemberKeys,
  type KnownMember,
  listMemberKeys,
  type MemberKey,
} from '../../db/reveals/member-keys.ts';
import { listReveals, type Readers } from '../../db/reveals/list-reveals.ts';
import { auditContext } from '../access/audit-context.ts';
import { requireCredential } from '../access/credential-viewer.ts';
import { roleIn, workspaceRoleIn } from '../access/tenancy.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNumberedPage } from '../routing/page.ts';
import { rotateRevealed } from './rotate-revealed.ts';
import type { Principal } from '../requests/state.ts';

export function mountRevealRoutes(mount: Mount): void {
  mountCredentialReveals(mount);
  mountMemberReveals(mount);
  mountMemberKeys(mount);
}

function mountCredentialReveals(mount: Mount): void {
  const { deps } = mount;

  mountRoute(mount, routes.listCredentialReveals, async ({ principal, params, query }) => {
    const { apiKeyId } = await requireCredential(deps, principal, params.ac);
    return await presentReveals(deps, { apiKeyId }, query);
  });

  mountRoute(mount, routes.rotateCredentialReveals, async (request) => {
    const { principal, params, body } = request;
    const { apiKeyId } = await requireCredential(deps, principal, params.ac);
    const mayRotate = (channel: ChannelRecord) => isWorkspaceAdmin(deps, principal, channel);
    return await rotateRevealed(deps, { ...body, readers: { apiKeyId }, audit: auditContext(request), mayRotate });
  });
}

function mountMemberReveals(mount: Mount): void {
  const { deps } = mount;

  mountRoute(mount, routes.listMemberReveals, async ({ organization, params, query }) => {
    const { organizationId, userId } = await memberOf(deps, organization, params.usr);
    return await presentReveals(deps, { organizationId, userId }, query);
  });

  mountRoute(mount, routes.rotateMemberReveals, async (request) => {
    const { organization, params, body } = request;
    const { organizationId, userId } = await memberOf(deps, organization, params.usr);
    const readers = { organizationId, userId };
    // The route requires an organization admin, who is an admin of all workspaces.
    const mayRotate = () => Promise.resolve(true);
    return await rotateRevealed(deps, { ...body, readers, audit: auditContext(request), mayRotate });
  });
}

function mountMemberKeys(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountRoute(mount, routes.listMemberKeys, async ({ organization, params, query }) => {
    const member = await memberOf(deps, organization, params.usr);
    const page = await readNumberedPage({ ...query, idKey: deps.idKey, list: 'memberKeys' }, ({ before, limit }) =>
      listMemberKeys(db, { ...member, before, limit }),
    );
    return { keys: page.items.map((key) => ({ ...key, keyId: key.publicId })), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.revokeMemberKeys, async (request) => {
    const { organization, params, body } = request;
    const member = await memberOf(deps, organization, params.usr);
    const keys = await wantedKeys(deps, member, body.keyIds);
    return { revokedKeyIds: await revokeAll(deps, keys, auditContext(request)) };
  });
}

async function presentReveals(
  { db, idKey }: ApiDeps,
  readers: Readers,
  query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
) {
  const page = await readNumberedPage({ ...query, idKey, list: 'reveals' }, ({ before, limit }) =>
    listReveals(db, { readers, before, limit }),
  );
  const reveals = page.items.map((reveal) => ({
    ...reveal,
    channelId: reveal.channelPublicId,
    workspaceId: reveal.workspacePublicId,
    revealedTo: reveal.readerId,
    revealCount: reveal.count,
    current: reveal.isCurrent,
  }));
  return { reveals, nextCursor: page.nextCursor };
}

async function memberOf({ db }: ApiDeps, { id }: { readonly id: number }, userPublicId: string): Promise<KnownMember> {
  const member = await findKnownMember(db, { organizationId: id, userPublicId });
  if (!member) throw new NotFound('MEMBER_NOT_FOUND');
  return member;
}

async function isWorkspaceAdmin({ db }: ApiDeps, principal: Principal, channel: ChannelRecord): Promise<boolean> {
  const { organizationId, workspaceId } = channel;
  const role = await roleIn(db, principal, organizationId);
  return role !== undefined && (await workspaceRoleIn(db, { principal, role, workspaceId })) === 'admin';
}

/** Other keys are not found. */
async function wantedKeys(
  { db }: ApiDeps,
  member: KnownMember,
  keyIds: readonly string[] | undefined,
): Promise<MemberKey[]> {
  if (keyIds === undefined) return await findCreatedKeys(db, member);
  const keys = await findMemberKeys(db, { ...member, keyIds });
  if (keys.length < new Set(keyIds).size) throw new NotFound('CREDENTIAL_NOT_FOUND');
  return keys;
}

/** Skips keys that ended before. */
async function revokeAll({ db }: ApiDeps, keys: readonly MemberKey[], audit: AuditContext): Promise<string[]> {
  return await db.transaction(async (trx) => {
    const revoked: string[] = [];
    for (const { publicId, agentCredentialId } of keys) {
      if (!(await revokeApiKey(trx, { organizationId: audit.organizationId ?? 0, publicId }))) continue;
      const action = agentCredentialId === null ? 'apiKey.revoked' : 'agentCredential.revoked';
      await recordAudit(trx, { ...audit, action, targetId: agentCredentialId ?? publicId });
      revoked.push(publicId);
    }
    return revoked;
  });
}
