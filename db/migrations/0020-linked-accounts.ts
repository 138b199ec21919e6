import type { Knex } from 'knex';

/**
 * The account that the platform links to a channel's own: a Page's photo account, or a photo account's Page. It need
 * not be a channel. Existing links are copied.
 */
export const linkedAccounts: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table channels
        add column linked_resource_id text
          constraint "a linked account's id is not empty" check (length(linked_resource_id) between 1 and 200),
        add constraint "a number has no linked account" check (linked_resource_id is null or type <> 'chatapp');
      comment on column channels.linked_resource_id is 'what the platform said when one of the two was connected last';
      comment on column channels.linked_channel_id is 'read by versions before linked_resource_id only';
      update channels c set linked_resource_id = linked.resource_id
      from channels linked
      where linked.id = c.linked_channel_id and linked.workspace_id = c.workspace_id and c.type <> 'chatapp';
    `);
  },
  async down(knex) {
    await knex.raw('alter table channels drop constraint "a number has no linked account"');
    await knex.schema.alterTable('channels', (table) => table.dropColumn('linked_resource_id'));
  },
};
