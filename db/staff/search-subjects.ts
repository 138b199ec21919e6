import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { namedDestinationsSql } from '../deliveries/named-destinations.ts';

export interface SearchSubjects {
  readonly channel?: string | undefined;
  readonly workspace?: string | undefined;
  readonly organization?: string | undefined;
  readonly destination?: string | undefined;
}

export interface SubjectNumbers {
  readonly channelId: number | null;
  readonly workspaceId: number | null;
  readonly organizationId: number | null;
  readonly destination: { readonly channelId: number; readonly destinationId: number } | null;
}

/** Includes deleted subjects. */
export async function findSearchSubjects(db: Knex, subjects: SearchSubjects): Promise<SubjectNumbers> {
  const [found] = await queryRows<Omit<SubjectNumbers, 'destination'> & FoundDestination>(
    db,
    `select (select id from channels where public_id = :channel) as "channelId",
       (select id from workspaces where public_id = :workspace) as "workspaceId",
       (select id from organizations where public_id = :organization) as "organizationId",
       s.channel_id as "itsChannelId", s.destination_id as "destinationId"
     from (values (0)) one left join ${namedDestinationsSql} s on s.public_id = :destination`,
    {
      channel: subjects.channel ?? null,
      workspace: subjects.workspace ?? null,
      organization: subjects.organization ?? null,
      destination: subjects.destination ?? null,
    },
  );
  const { itsChannelId, destinationId, ...numbers } = found!;
  const isFound = itsChannelId !== null && destinationId !== null;
  return { ...numbers, destination: isFound ? { channelId: itsChannelId, destinationId } : null };
}

interface FoundDestination {
  readonly itsChannelId: number | null;
  readonly destinationId: number | null;
}

interface Place {
  readonly channelIds?: readonly number[] | undefined;
  readonly workspaceId?: number | undefined;
  readonly organizationId?: number | undefined;
}

/** Of channels, a workspace or an organization: those who have them now. */
export async function findOrganizations(
  db: Knex,
  { channelIds, workspaceId, organizationId }: Place,
): Promise<number[]> {
  const rows = await queryRows<{ readonly id: number }>(
    db,
    `select distinct organization_id as id from workspaces
     where organization_id = cast(:organizationId as bigint) or id = cast(:workspaceId as bigint)
       or id in (select workspace_id from channels where id = any (cast(:channelIds as bigint[])))`,
    {
      channelIds: channelIds ? [...channelIds] : null,
      workspaceId: workspaceId ?? null,
      organizationId: organizationId ?? null,
    },
  );
  return rows.map(({ id }) => id);
}
