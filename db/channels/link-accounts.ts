import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';

/** A channel, and the account that the platform says is linked to its own; null for none. */
export interface LinkedAccount {
  readonly channel: { readonly id: number; readonly workspaceId: number };
  readonly type: Exclude<ChannelType, 'chatapp'>;
  readonly resourceId: string;
  readonly linkedResourceId: string | null;
}

/**
 * Notes a Page's photo account, or a photo account's Page, with its channel. An account has one such link: the workspace's
 * channel of the linked account is told of it, and its channels that say otherwise forget theirs. Other workspaces keep
 * what the platform has told them.
 */
export async function linkAccounts(trx: Knex, { channel, type, resourceId, linkedResourceId }: LinkedAccount) {
  await trx.raw(
    `update channels set linked_resource_id = :linkedResourceId, updated_at = now()
     where id = :id and linked_resource_id is distinct from cast(:linkedResourceId as text)`,
    { id: channel.id, linkedResourceId },
  );
  await trx.raw(
    `update channels c set linked_resource_id = told.linked, updated_at = now()
     from (select id, case when resource_id = cast(:linkedResourceId as text) then cast(:resourceId as text) end as linked
       from channels
       where workspace_id = :workspaceId and type = :other
         and (resource_id = cast(:linkedResourceId as text) or linked_resource_id = :resourceId)) told
     where c.id = told.id and c.linked_resource_id is distinct from told.linked`,
    {
      workspaceId: channel.workspaceId,
      other: type === 'pageapp' ? 'photoapp' : 'pageapp',
      resourceId,
      linkedResourceId,
    },
  );
}
