import type { CancelReason } from '../../../contract/deliveries/status.ts';
import type { AuditActor } from '../../audit/record-audit.ts';

/** Why a delivery is cancelled, and by whom. */
export interface Cancellation {
  readonly reason: CancelReason;
  /** Optional. The one whose request led to it. Default: the service itself. */
  readonly actor?: AuditActor;
}

/** For the column `cancellation` of a destination or a channel: of its deliveries, from when they are void. */
export function cancellationRecord({ reason, actor }: Cancellation): string {
  return JSON.stringify({ reason, actorType: actor?.type, actorId: actor?.id });
}

/** Values of the deliveries' column `cancellation`, as SQL. */

/** Takes the parameters of `cancellationBindings`. */
export const requestedCancellationSql = `jsonb_strip_nulls(jsonb_build_object('reason', cast(:cancelReason as text),
  'at', now(), 'actorType', cast(:cancelActorType as text), 'actorId', cast(:cancelActorId as text)))`;

export function cancellationBindings({ reason, actor }: Cancellation) {
  return { cancelReason: reason, cancelActorType: actor?.type ?? null, cancelActorId: actor?.id ?? null };
}

const atSql = `jsonb_build_object('at', now())`;

/** Without an actor. */
export const cancellationSql = (reason: CancelReason): string => `(${reasonSql(reason)} || ${atSql})`;

/** The delivery `d` is void. */
export const voidCancellationSql = `(
  select case when gone.disconnected_at is null then coalesce(former.cancellation, ${reasonSql('destination_deleted')})
    else coalesce(gone.cancellation, ${reasonSql('channel_disconnected')}) end || ${atSql}
  from destinations former join channels gone on gone.id = former.channel_id where former.id = d.destination_id)`;

function reasonSql(reason: CancelReason): string {
  return `jsonb_build_object('reason', '${reason}')`;
}
