import type { Knex } from 'knex';

/** What a search names by its public ids. */
export interface SearchSubjects {
  readonly channel?: string | undefined;
  readonly workspace?: string | undefined;
  readonly organization?: string | undefined;
  readonly subscription?: string | undefined;
}

/** Their numbers; null where there is none. */
export interface SubjectNumbers {
  readonly channelId: number | null;
  readonly workspaceId: number | null;
  readonly organizationId: number | null;
  readonly subscription: { readonly channelId: number; readonly destinationId: number } | null;
}

/** Finds what staff search for: in every organization, and what was deleted too. */
export async function findSearchSubjects(db: Knex, subjects: SearchSubjects): Promise<SubjectNumbers> {
  const { rows } = await db.raw<{ rows: (Omit<SubjectNumbers, 'subscription'> & SubscriptionRow)[] }>(
    `select (select id from channels where public_id = :channel) as "channelId",
       (select id from workspaces where public_id = :workspace) as "workspaceId",
       (select id from organizations where public_id = :organization) as "organizationId",
       s.channel_id as "subscribedChannelId", s.destination_id as "destinationId"
     from (values (0)) one left join subscriptions s on s.public_id = :subscription`,
    {
      channel: subjects.channel ?? null,
      workspace: subjects.workspace ?? null,
      organization: subjects.organization ?? null,
      subscription: subjects.subscription ?? null,
    },
  );
  const { subscribedChannelId, destinationId, ...numbers } = rows[0]!;
  const isFound = subscribedChannelId !== null && destinationId !== null;
  return { ...numbers, subscription: isFound ? { channelId: subscribedChannelId, destinationId } : null };
}

interface SubscriptionRow {
  readonly subscribedChannelId: number | null;
  readonly destinationId: number | null;
}
