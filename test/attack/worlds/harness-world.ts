import type { Knex } from 'knex';
import { everyCredential } from '../../harness/access/credentials.ts';
import { aSampledTenant, type SampledTenant } from '../../harness/access/id-samples.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel } from '../../harness/tenants.ts';
import type { AttackedTenant, World } from '../cases/world.ts';

export async function harnessWorld(db: Knex, baseUrl: string): Promise<World> {
  const own = await aSampledTenant(db);
  const victim = await aSampledTenant(db);
  const credentials = await everyCredential(db, own, victim);
  const { cookie, accessToken, refreshToken } = await aSession(db, own.user);
  const resourceId = '100000000000077';
  await aChannel(db, own.workspace, { resourceId });
  const marks = [victim.organization.publicId, victim.user.email];
  return {
    baseUrl,
    credentials,
    apiKey: own.apiKey,
    own: attacked(own, []),
    victim: attacked(victim, marks),
    session: { cookie, accessToken, refreshToken },
    resourceId,
    allowedCidrs: [],
  };
}

function attacked(tenant: SampledTenant, marks: readonly string[]): AttackedTenant {
  return {
    organizationId: tenant.organization.publicId,
    workspaceId: tenant.workspace.publicId,
    channelId: tenant.id('channel'),
    id: (kind) => tenant.id(kind),
    marks,
  };
}
