import type { Knex } from 'knex';
import { namedDestinationsSql } from '../deliveries/named-destinations.ts';

/** What a search names by its public ids. */
export interface SearchSubjects {
  readonly channel?: string | undefined;
  readonly workspace?: string | undefined;
  readonly organization?: string | undefined;
  /** Of a subscription or a listener. */
  readonly destination?: string | undefined;
}

/** Their numbers; null where there is none. */
export interface SubjectNumbers {
  readonly channelId: number | null;
  readonly workspaceId: number | null;
  readonly organizationId: number | null;
  readonly destination: { readonly channelId: number; readonly destinationId: number } | null;
}

/** Finds what staff search for: in every organization, and what was deleted too. */
export async function findSearchSubjects(db: Knex, subjects: SearchSubjects): Promise<SubjectNumbers> {
  const { rows } = await db.raw<{ rows: (Omit<SubjectNumbers, 'destination'> & DestinationRow)[] }>(
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
  const { itsChannelId, destinationId, ...numbers } = rows[0]!;
  const isFound = itsChannelId !== null && destinationId !== null;
  return { ...numbers, destination: isFound ? { channelId: itsChannelId, destinationId } : null };
}

interface DestinationRow {
  readonly itsChannelId: number | null;
  readonly destinationId: number | null;
}
