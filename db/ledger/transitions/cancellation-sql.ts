import type { CancelReason } from '../../../contract/deliveries/status.ts';
import type { AuditActor } from '../../audit/record-audit.ts';

/** Why a delivery is cancelled, and by whom. */
export interface Cancellation {
  readonly reason: CancelReason;
  /** Optional. The one whose request led to it. Default: the service itself. */
  readonly actor?: AuditActor;
}

/** Values of the deliveries' column `cancellation`, as SQL. */

/** Takes the parameters of `cancellationBindings`. */
export const requestedCancellationSql = `jsonb_strip_nulls(jsonb_build_object('reason', cast(:cancelReason as text),
  'at', now(), 'actorType', cast(:cancelActorType as text), 'actorId', cast(:cancelActorId as text)))`;

export function cancellationBindings(cancellation: Cancellation | undefined) {
  return {
    cancelReason: cancellation?.reason ?? null,
    cancelActorType: cancellation?.actor?.type ?? null,
    cancelActorId: cancellation?.actor?.id ?? null,
  };
}

/** Without an actor. */
export const cancellationSql = (reason: CancelReason): string => cancellationOf(`'${reason}'`);

/**
 * The delivery `d` was found void. The request that removed its destination or its channel, or edited the URL, is not
 * known here.
 */
export const voidCancellationSql: string = cancellationOf(`case
  when exists (select from channels gone where gone.id = d.channel_id and gone.disconnected_at is not null)
  then 'channel_disconnected'
  when exists (
    select from destinations former join destinations present on present.id = former.kept_for
    where former.id = d.destination_id and present.deleted_at is null)
  then 'url_changed' else 'destination_deleted' end`);

function cancellationOf(reasonSql: string): string {
  return `jsonb_build_object('reason', ${reasonSql}, 'at', now())`;
}
