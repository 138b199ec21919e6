import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

export interface AccessSubject {
  readonly credentialId: string;
  readonly sessionId: number | null;
  readonly userId: number;
  readonly organizationId: number;
  /** Null if the access does not depend on it. */
  readonly workspaceId: number | null;
  readonly channelId: number | null;
}

/** Returns a string for each subject, in order, that changes when its access does. */
export async function readAccessStates(db: Knex, subjects: readonly AccessSubject[]): Promise<readonly string[]> {
  const states = await queryRows<{ state: string }>(db, statesSql, {
    credentialIds: subjects.map(({ credentialId }) => credentialId),
    sessionIds: subjects.map(({ sessionId }) => sessionId),
    userIds: subjects.map(({ userId }) => userId),
    organizationIds: subjects.map(({ organizationId }) => organizationId),
    workspaceIds: subjects.map(({ workspaceId }) => workspaceId),
    channelIds: subjects.map(({ channelId }) => channelId),
  });
  return states.map(({ state }) => state);
}

const statesSql = `
select jsonb_build_array(k.revoked_at, k.expires_at <= now(), k.scopes, k.workspace_ids, k.allowed_cidrs, s.revoked_at, s.expires_at <= now(), om.role, wm.role,
  w.deleted_at, c.workspace_id)::text as state
from unnest(cast(:credentialIds as text[]), cast(:sessionIds as bigint[]), cast(:userIds as bigint[]),
  cast(:organizationIds as bigint[]), cast(:workspaceIds as bigint[]), cast(:channelIds as bigint[])
) with ordinality as a (credential_id, session_id, user_id, organization_id, workspace_id, channel_id, place)
left join agent_credentials g on g.public_id = a.credential_id
left join api_keys k on k.id = coalesce(g.api_key_id, (select id from api_keys where public_id = a.credential_id))
left join sessions s on s.id = a.session_id
left join organization_members om on om.organization_id = a.organization_id and om.user_id = a.user_id
left join workspace_members wm on wm.workspace_id = a.workspace_id and wm.user_id = a.user_id
left join workspaces w on w.id = a.workspace_id
left join channels c on c.id = a.channel_id
order by a.place`;
