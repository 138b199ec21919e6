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
