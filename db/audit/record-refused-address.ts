import type { Knex } from 'knex';
import { addressBlock, addressNetwork } from '../../contract/addresses/classify-address.ts';
import { queryRows } from '../core/query-rows.ts';
import type { AuditEntry } from './record-audit.ts';

type RefusedAddress = Pick<AuditEntry, 'organizationId' | 'actor' | 'requestId' | 'callerRequestId'> & {
  readonly clientAddress: string;
};

/** An index admits one entry for each key, address (IPv6: /48) and hour, so that refused calls do not fill the log. */
export async function recordRefusedAddress(db: Knex, refused: RefusedAddress): Promise<void> {
  const { organizationId, actor, clientAddress, requestId = null, callerRequestId = null } = refused;
  const block = addressNetwork(clientAddress) ?? addressBlock(clientAddress);
  await queryRows(
    db,
    `insert into audit_entries (organization_id, actor_type, actor_id, action, reason, request_id, caller_request_id,
       client_address)
     values (:organizationId, :type, :id, 'apiKey.addressRefused', :reason, :requestId, :callerRequestId, :clientAddress)
     on conflict do nothing`,
    { organizationId, ...actor, reason: `from ${block}`, requestId, callerRequestId, clientAddress },
  );
}
