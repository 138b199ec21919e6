import { isId } from '../../contract/ids.ts';
import type { AuditContext } from '../../db/audit/record-audit.ts';
import type { DeliveryRecord } from '../../db/deliveries/records.ts';
import { replayDelivery as replay } from '../../db/ledger/replays/replay-delivery.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import { restartConflicts } from './retry-delivery.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { KeyReused, NotFound } from '../requests/errors.ts';

export interface ReplayDeliveryRequest {
  readonly source: DeliveryRecord;
  readonly sourcePublicId: string;
  readonly workspaceId: number;
  readonly destination: string | undefined;
  readonly idempotencyKey: string | null;
  readonly audit: AuditContext;
}

/** Returns the new delivery's number. */
export async function replayDelivery({ db }: ApiDeps, request: ReplayDeliveryRequest): Promise<number> {
  const { source, sourcePublicId, workspaceId, destination, idempotencyKey, audit } = request;
  const replayed = await replay(db, {
    sourceId: source.id,
    sourcePublicId,
    workspaceId,
    destination,
    idempotencyKeyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
    requestHash: requestHash({ delivery: sourcePublicId, destination }),
    audit,
  });
  switch (replayed.outcome) {
    case 'replayed':
      return replayed.deliveryId;
    case 'obstructed':
      throw restartConflicts[replayed.obstacle]();
    case 'no_such_destination':
      throw new NotFound(isId('listener', destination) ? 'LISTENER_NOT_FOUND' : 'SUBSCRIPTION_NOT_FOUND');
    case 'key_reused':
      throw new KeyReused('delivery or destination');
  }
}
