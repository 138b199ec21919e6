import type { Knex } from 'knex';
import { listenerDeliveries } from './0015-listener-deliveries.ts';
import { concurrentIndex } from './concurrent-index.ts';

/** Includes the workspace, so that one scan finds the deliveries that a moved channel left in its old workspace. */
const byWorkspace = concurrentIndex({
  name: 'deliveries_for_listeners_by_workspace',
  on: "deliveries (destination_id, workspace_id, xid, id) where shard = -1 and status = 'pending'",
});

/** Replaces the index without the workspace, because every read names one. */
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
