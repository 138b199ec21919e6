import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

const textFields = `array['caption', 'altText', 'userTags', 'audioName', 'locationId']`;

/** Media URLs stay: they belong to the post, not to the people in it. */
export const emptiedRequestSql = (request: string): string => `${request} - ${textFields}`;
export const hasTextSql = (request: string): string => `jsonb_exists_any(${request}, ${textFields})`;

const BATCH_SIZE = 1_000;

/** Erases the texts of containers that an erasure reached while they were under way and that have ended since. */
export async function eraseEndedContainers(db: Knex): Promise<number> {
  const [erased] = await queryRows<{ count: number }>(
    db,
    `with ended as (
       delete from containers_to_erase x using media_containers m
       where m.id = x.container_id and m.ended_at is not null and x.container_id in (
         select e.container_id from containers_to_erase e join media_containers c on c.id = e.container_id
         where c.ended_at is not null limit :limit)
       returning m.id
     ),
     emptied as (
       update media_containers m set request = ${emptiedRequestSql('m.request')} from ended where m.id = ended.id returning 1
     )
     select count(*)::int as count from emptied`,
    { limit: BATCH_SIZE },
  );
  return erased!.count;
}
