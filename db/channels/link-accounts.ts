import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ChannelType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';
import { ChannelModel } from '../models/channel.ts';

export interface LinkedAccount {
  readonly channel: { readonly id: number; readonly workspaceId: number };
  readonly type: Exclude<ChannelType, 'chatapp'>;
  readonly resourceId: string;
  readonly linkedResourceId: string | null;
}

/** Within the workspace, the linked account's channel gets the same link, and outdated links are removed. */
export async function linkAccounts(
  trx: Knex,
  { channel, type, resourceId, linkedResourceId }: LinkedAccount,
): Promise<void> {
  await ChannelModel.query(trx)
    .findById(channel.id)
    .whereRaw('linked_resource_id is distinct from cast(? as text)', [linkedResourceId])
    .patch({ linkedResourceId, updatedAt: raw('now()') });
  await queryRows(
    trx,
    `update channels c set linked_resource_id = said.linked, updated_at = now()
     from (select id, case when resource_id = cast(:linkedResourceId as text) then cast(:resourceId as text) end as linked
       from channels
       where workspace_id = :workspaceId and type = :other
         and (resource_id = cast(:linkedResourceId as text) or linked_resource_id = :resourceId)) said
     where c.id = said.id and c.linked_resource_id is distinct from said.linked`,
    {
      workspaceId: channel.workspaceId,
      other: type === 'pageapp' ? 'photoapp' : 'pageapp',
      resourceId,
      linkedResourceId,
    },
  );
}
