import type { Knex } from 'knex';

/** A replay takes the filters of the list of deliveries. Rewrites no rows. */
export const replayFilters: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table replays
        add column channel_ids bigint[],
        add column original_destinations text[],
        add column original_destination_ids bigint[],
        add column http_statuses text[],
        add column selected_by text[],
        add column selected_ids bigint[],
        add constraint "a replay of named destinations knows them"
          check ((original_destinations is null) = (original_destination_ids is null)),
        add constraint "a replay selected by a text has what it selected"
          check ((selected_by is null) = (selected_ids is null));
      comment on column replays.channel_ids is 'null: all channels of the scope';
      comment on column replays.original_destinations is 'as they were named: webhook and public ids; null: all';
      comment on column replays.http_statuses is 'statuses, classes and none, as they were asked for; null: all';
      comment on column replays.selected_by is 'the filters whose texts were compared once and are not kept';
      comment on column replays.selected_ids is 'the deliveries that selected_by left';
    `);
  },
  async down(knex) {
    await knex.raw(`
      alter table replays drop column channel_ids, drop column original_destinations,
        drop column original_destination_ids, drop column http_statuses, drop column selected_by, drop column selected_ids
    `);
  },
};
