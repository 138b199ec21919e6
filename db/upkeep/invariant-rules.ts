import { LISTENER_SHARD } from '../ledger/destinations/destinations.ts';
import { presentIdSql, receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

/**
 * Each statement checks the next `:limit` rows after a position (`:a`, `:b`, `:c`). A delivery changes together with
 * its dependent rows in one statement, so most rules need no grace period.
 */

/** Time for a pump, a workflow or the adoption of lost workflows to act. */
const GRACE = `interval '1 hour'`;

const looking = (looked: string, { position, broken }: { position: string; broken: readonly string[] }): string => `
with looked as materialized (${looked}),
last as (select ${position} as at from looked order by ${position} desc limit 1),
broken as (${broken.join(' union all ')})
select (select count(*)::int from looked) as looked, (select array_to_json(at) from last) as last,
  coalesce((select json_agg(broken order by number, id) from broken), '[]') as broken`;

const numbered = (rule: string, kind: 'event' | 'delivery', which: string): string =>
  `select '${rule}' as rule, '${kind}' as kind, l.id as number, null as id from looked l where ${which}`;

/** Checks only destinations unchanged since a minute before the event, because its statement may not see newer ones. */
export const eventsSql = looking('select * from events where id > :a order by id limit :limit', {
  position: 'array[id]',
  broken: [
    numbered('event_without_delivery', 'event', 'not exists (select from deliveries d where d.event_id = l.id)'),
    numbered(
      'destination_without_delivery',
      'event',
      `exists (
        select from destinations dest
        where dest.channel_id = l.channel_id and ${receivesEventsSql('dest')}
          and (dest.event_types is null or l.event_type = any (dest.event_types))
          and greatest(dest.created_at, dest.updated_at) < l.created_at - interval '1 minute'
          and not exists (select from deliveries d where d.event_id = l.id and d.destination_id = dest.id))
      and exists (select from deliveries d where d.event_id = l.id)`,
    ),
  ],
});

/**
 * Replayed deliveries have negative conversation keys. Deliveries of listeners have no schedule. A destination's own
 * schedule may be shorter than the installation's, and have ended deliveries before it was changed.
 */
export const deliveriesSql = looking('select * from deliveries where id > :a order by id limit :limit', {
  position: 'array[id]',
  broken: [
    numbered('delivery_without_event', 'delivery', 'not exists (select from events e where e.id = l.event_id)'),
    numbered(
      'event_sent_twice',
      'delivery',
      `l.conversation_key >= 0 and exists (
        select from deliveries other
        where other.event_id = l.event_id and other.id < l.id and other.conversation_key >= 0
          and other.destination_id is not distinct from l.destination_id)`,
    ),
    numbered(
      'delivered_without_acceptance',
      'delivery',
      `l.status = 'delivered' and not exists (
        select from attempts a where a.delivery_id = l.id and a.outcome = 'accepted')`,
    ),
    numbered(
      'exhausted_early',
      'delivery',
      `l.status = 'exhausted' and (
        (l.shard <> ${LISTENER_SHARD} and l.failed_in_schedule <= :scheduleLength
          and coalesce(l.restarted_at, l.created_at) > now() - :scheduleMs * interval '1 millisecond'
          and not exists (
            select from destinations dest where dest.id = l.destination_id and (dest.options -> 'retrySteps' is not null
              or dest.updated_at > coalesce(l.restarted_at, l.created_at))))
        or l.attempt_count > (select count(*) from attempts a where a.delivery_id = l.id))`,
    ),
    numbered('skipped_without_reason', 'delivery', `l.status = 'skipped' and l.skip_reason is null`),
  ],
});

/** Pumps and workflows end waiting deliveries with a delay. */
const withoutReceiver = numbered(
  'waiting_for_nobody',
  'delivery',
  `l.created_at < now() - ${GRACE} and not exists (
    select from destinations dest join channels c on c.id = dest.channel_id
    where dest.id = l.destination_id
      and ((dest.deleted_at is null and dest.enabled and c.disconnected_at is null and c.forwarding_enabled)
        or greatest(dest.updated_at, dest.last_failure_at, dest.deleted_at, c.updated_at, c.disconnected_at) > now() - ${GRACE}))`,
);

/** `deliveriesSql` checks recent ones. */
const withoutEvent = numbered(
  'delivery_without_event',
  'delivery',
  `l.created_at < now() - :lookBackMs * interval '1 millisecond' and not exists (select from events e where e.id = l.event_id)`,
);

export const pendingSql = looking(
  `select * from deliveries where status = 'pending' and (shard, destination_id, id) > (:a, :b, :c)
   order by shard, destination_id, id limit :limit`,
  { position: 'array[shard, destination_id, id]', broken: [withoutReceiver, withoutEvent] },
);

export const retryingSql = looking(
  `select * from deliveries where status = 'retrying' and (destination_id, id) > (:a, :b)
   order by destination_id, id limit :limit`,
  {
    position: 'array[destination_id, id]',
    broken: [
      withoutReceiver,
      withoutEvent,
      numbered(
        'retrying_overdue',
        'delivery',
        `l.next_attempt_at < now() - ${GRACE} and exists (
          select from destinations dest where dest.id = l.destination_id and dest.circuit = 'closed'
            and (dest.circuit_closed_at is null or dest.circuit_closed_at < now() - ${GRACE}))`,
      ),
    ],
  },
);

/** A restarted head keeps its hold until it is sent. */
export const holdsSql = looking(
  `select destination_id, conversation_key, delivery_id, delivery_id as id, until_at from conversation_holds
   where (destination_id, conversation_key, delivery_id) > (:a, :b, :c)
   order by destination_id, conversation_key, delivery_id limit :limit`,
  {
    position: 'array[destination_id, conversation_key, delivery_id]',
    broken: [
      numbered(
        'hold_without_head',
        'delivery',
        `not exists (select from deliveries d where d.id = l.delivery_id and d.status in ('pending', 'retrying'))`,
      ),
    ],
  },
);

const named = (rule: string, id: string, from: string): string =>
  `select '${rule}' as rule, 'other' as kind, null::bigint as number, ${id} as id from ${from}`;

export const circuitsSql = looking(
  `select * from destinations where circuit = 'open' and id > :a order by id limit :limit`,
  {
    position: 'array[id]',
    broken: [
      named(
        'circuit_overdue',
        `coalesce(s.public_id, 'webhook-' || c.public_id)`,
        `looked l join channels c on c.id = l.channel_id
         left join subscriptions s on s.destination_id = ${presentIdSql('l')}
         where l.circuit_probe_at < now() - ${GRACE}`,
      ),
    ],
  },
);

export const replaysSql = looking(
  `select * from replays where run_ended_at is null and id > :a order by id limit :limit`,
  {
    position: 'array[id]',
    broken: [
      named(
        'replay_overdue',
        'l.public_id',
        `looked l where l.status in ('planning', 'running') and l.progressed_at < now() - ${GRACE}`,
      ),
    ],
  },
);

export const containersSql = looking(
  `select * from media_containers where ended_at is null and id > :a order by id limit :limit`,
  {
    position: 'array[id]',
    broken: [
      named(
        'container_overdue',
        'l.public_id',
        `looked l where l.status in ('creating', 'in_progress', 'finished', 'publishing')
           and l.expires_at < now() - ${GRACE}`,
      ),
    ],
  },
);
