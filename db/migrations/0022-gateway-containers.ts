import type { Knex } from 'knex';

/**
 * Media containers created through the gateway. The platform names no owner, so only the response to the creation
 * proves who owns one.
 */
export const gatewayContainers: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      create table gateway_containers (
        channel_id bigint not null references channels,
        account_id text not null
          constraint "a container's account is not empty" check (length(account_id) between 1 and 200),
        platform_id text not null
          constraint "a container's id at the platform is not empty" check (length(platform_id) between 1 and 256),
        expires_at timestamptz not null,
        created_at timestamptz not null default now(),
        primary key (channel_id, account_id, platform_id)
      );
      create index gateway_containers_by_expiry on gateway_containers (expires_at);
      comment on table gateway_containers is 'each insert removes some rows that have expired';
      create index container_parts_by_platform_id on container_parts (platform_id) where platform_id is not null;
    `);
  },
  async down(knex) {
    await knex.raw('drop index container_parts_by_platform_id');
    await knex.schema.dropTable('gateway_containers');
  },
};
