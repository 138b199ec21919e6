import {
  type DeliveryStatus,
  type DeliveryTransition,
  deliveryTransitions,
  endsDelivery,
  type TransitionName,
} from '../../../contract/deliveries/status.ts';

/** A transition of some rows. The first choice whose condition holds applies; the last one needs none. */
export interface Choice {
  readonly transition: TransitionName;
  readonly when?: string;
}

export interface DeliveryMove {
  /** The relation that chooses the deliveries. */
  readonly source: string;
  readonly id: string;
  readonly transition: TransitionName | readonly Choice[];
  /** Optional. Narrows the states of the table. */
  readonly from?: readonly DeliveryStatus[];
  /** Optional. A further condition over the delivery `d` and the source. */
  readonly where?: string;
  /** Required for transitions to `retrying`. */
  readonly nextAttemptAt?: string;
  /** Optional. Whether the pump makes the next attempt of a retrying delivery. Default: a workflow does. */
  readonly pumpRetries?: string;
  /** Required for `skip`. */
  readonly skipReason?: string;
  /** Required for `cancel`. See `cancellation-sql.ts`. */
  readonly cancellation?: string;
  /** Optional. Further assignments. */
  readonly set?: string;
  /** Optional. Further columns of `moved`. */
  readonly returning?: string;
  /**
   * `destination`: pumps drop their copies of the destination's deliveries, which is necessary unless the pump itself
   * moves them. `shard`: the pump claims. `released`: it claims only if a conversation became free.
   */
  readonly notify: 'destination' | 'shard' | 'released';
}

/**
 * Builds the common table expressions that change the state of deliveries: `moved`, `released` and `notified`. The only
 * place that writes `deliveries.status` of an existing row, but for accepted deliveries (`settle-accepted.ts`). An end
 * always clears the next attempt, sets or clears the reasons, renews the transaction id, releases the held conversation
 * and notifies the pump.
 *
 * The statement must read `notified`, because PostgreSQL skips an unused `select`: see `isNotified`.
 */
export function moveDeliveriesSql(move: DeliveryMove): string {
  const choices = choicesOf(move);
  if (/\bstatus\s*=/.test(move.set ?? '')) throw new Error('A transition sets the status');
  const retries = choices.filter(({ transition }) => targetOf(transition) === 'retrying');
  const assignments = [
    `status = ${pick(choices, ({ transition }) => statusSql(transition))}`,
    `skip_reason = ${pick(choices, (choice) => skipReasonSql(choice, move))}`,
    `cancellation = ${pick(choices, (choice) => cancellationOf(choice, move))}`,
    `next_attempt_at = ${pick(choices, (choice) => nextAttemptSql(choice, move))}`,
    ...(retries.length === 0 ? [] : [`pump_retries = ${pick(choices, (choice) => pumpRetriesSql(choice, move))}`]),
    'xid = pg_current_xact_id()',
    ...(move.set === undefined ? [] : [move.set]),
  ];
  const columns = ['d.id', 'd.shard', 'd.destination_id', 'd.conversation_key', 'd.status'];
  const conditions = [`d.id = ${move.id}`, pick(choices, (choice) => allowedSql(choice, move))];
  return `
moved as (
  update deliveries d
  set ${assignments.join(', ')}
  from ${move.source}
  where ${[...conditions, ...(move.where === undefined ? [] : [move.where])].join(' and ')}
  returning ${[...columns, ...(move.returning === undefined ? [] : [move.returning])].join(', ')}
),
${releasedByChoiceSql(choices)}
${notifiedSql[move.notify]}`;
}

/** True. Makes PostgreSQL send the notifications. */
export const isNotified = '(select count(*) from notified) >= 0';

function choicesOf({ transition }: DeliveryMove): readonly Choice[] {
  return typeof transition === 'string' ? [{ transition }] : transition;
}

function pick(choices: readonly Choice[], sqlOf: (choice: Choice) => string): string {
  const branches = choices.map((choice) => ({ when: choice.when, sql: sqlOf(choice) }));
  const [first] = branches;
  if (first && branches.every(({ sql }) => sql === first.sql)) return first.sql;
  const cases = branches.map(({ when, sql }) => (when === undefined ? `else ${sql}` : `when ${when} then ${sql}`));
  return `case ${cases.join(' ')} end`;
}

const targetOf = (transition: TransitionName): DeliveryTransition['to'] => deliveryTransitions[transition].to;

function statusSql(transition: TransitionName): string {
  const to = targetOf(transition);
  return to === 'unchanged' ? 'd.status' : `'${to}'`;
}

function skipReasonSql({ transition }: Choice, { skipReason }: DeliveryMove): string {
  if (transition !== 'skip') return 'null';
  if (skipReason === undefined) throw new Error('A skipped delivery needs a reason');
  return skipReason;
}

function cancellationOf({ transition }: Choice, { cancellation }: DeliveryMove): string {
  if (transition !== 'cancel') return 'null';
  if (cancellation === undefined) throw new Error('A cancelled delivery needs a cancellation');
  return cancellation;
}

function nextAttemptSql({ transition }: Choice, { nextAttemptAt }: DeliveryMove): string {
  const to = targetOf(transition);
  if (to === 'unchanged') return 'd.next_attempt_at';
  if (to !== 'retrying') return 'null';
  if (nextAttemptAt === undefined) throw new Error(`The transition ${transition} needs the time of the next attempt`);
  return nextAttemptAt;
}

function pumpRetriesSql({ transition }: Choice, { pumpRetries = 'false' }: DeliveryMove): string {
  return targetOf(transition) === 'retrying' ? pumpRetries : 'd.pump_retries';
}

function allowedSql({ transition }: Choice, { from }: DeliveryMove): string {
  const allowed: readonly DeliveryStatus[] = deliveryTransitions[transition].from;
  const statuses = from ?? allowed;
  if (!statuses.every((status) => allowed.includes(status))) {
    throw new Error(`The transition ${transition} does not allow all of ${statuses.join(', ')}`);
  }
  return `d.status in (${statuses.map((status) => `'${status}'`).join(', ')})`;
}

function releasedByChoiceSql(choices: readonly Choice[]): string {
  const ends = choices.filter(({ transition }) => endsDelivery(transition));
  if (ends.length === 0) return 'released as (select null::int as shard where false),';
  const statuses = ends.map(({ transition }) => statusSql(transition)).join(', ');
  return releasedSql('moved', ends.length === choices.length ? '' : ` and m.status in (${statuses})`);
}

/** Releases the conversations that the deliveries of a relation hold. */
export const releasedSql = (ended: string, condition = ''): string => `released as (
  delete from conversation_holds h using ${ended} m
  where h.destination_id = m.destination_id and h.conversation_key = m.conversation_key and h.delivery_id = m.id${condition}
  returning m.shard
),`;

/** No pump serves listeners. */
export const notifiedSql: Readonly<Record<DeliveryMove['notify'], string>> = {
  destination: `notified as materialized (
  select pg_notify('deliveries', shard || ':' || destination_id)
  from (select distinct shard, destination_id from moved where shard >= 0) changed
)`,
  shard: notifiedShardsSql('moved'),
  released: notifiedShardsSql('released'),
};

function notifiedShardsSql(source: string): string {
  return `notified as materialized (
  select pg_notify('deliveries', shard::text)
  from (select distinct shard from ${source} where shard >= 0) changed
)`;
}
