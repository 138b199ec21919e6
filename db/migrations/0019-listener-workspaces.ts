import type { Knex } from 'knex';
import { listenerDeliveries } from './0015-listener-deliveries.ts';
import { concurrentIndex } from './concurrent-index.ts';

/** By workspace too, so that what a moved channel's listeners were late to get for the old one is found in one step. */
const byWorkspace = concurrentIndex({
  name: 'deliveries_for_listeners_by_workspace',
  on: "deliveries (destination_id, workspace_id, xid, id) where shard = -1 and status = 'pending'",
});

/** In place of the index without the workspace: every read names one. */
export const listenerWorkspaces = {
  ...byWorkspace,
  up: async (knex: Knex) => {
    await byWorkspace.up(knex);
    await listenerDeliveries.down(knex);
  },
  down: async (knex: Knex) => {
    await listenerDeliveries.up(knex);
    await byWorkspace.down(knex);
  },
};
