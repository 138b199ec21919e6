import type { Knex } from 'knex';
import type { DestinationChangeInput } from '../../openapi/destinations/schema.ts';
import { optionNames } from '../../openapi/definitions/destination-options.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { changeDestination } from '../../db/destinations/change-destination.ts';
import { changeOptions } from '../../db/destinations/change-options.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { InvalidRequest, NotFound, WebhookNotSet } from '../requests/errors.ts';

export interface DestinationToSet {
  readonly channel: ChannelRecord;
  readonly change: DestinationChangeInput;
  readonly audit: AuditContext;
}

/** Changes all given fields of a destination or none, and records each in the audit log. */
export async function setDestination(
  { db, secretBox }: Pick<ApiDeps, 'db' | 'secretBox'>,
  { channel, change, audit }: DestinationToSet,
): Promise<void> {
  const { destination, ordering, sendsTraceParent, rate, ...options } = change;
  const subscriptionId = destination === 'webhook' ? null : destination;
  await db.transaction(async (trx) => {
    if (ordering !== undefined || sendsTraceParent !== undefined) {
      const sending = { channelId: channel.id, subscriptionId, ordering, sendsTraceParent };
      if (!(await changeDestination(trx, sending))) throw missing(subscriptionId);
    }
    if (optionNames.some((name) => change[name] !== undefined)) {
      const request = { channel, subscriptionId, change: { ...options, ...rate }, secretBox };
      const changed = await changeOptions(trx, request);
      if (changed.outcome === 'not_found') throw missing(subscriptionId);
      if (changed.outcome === 'refused') throw new InvalidRequest(`body.${changed.problem}.`);
    }
    await auditAll(trx, change, { ...audit, targetId: subscriptionId ?? channel.publicId });
  });
}

function missing(subscriptionId: string | null): Error {
  return subscriptionId === null ? new WebhookNotSet() : new NotFound('SUBSCRIPTION_NOT_FOUND');
}

const optionActions = {
  headers: 'destination.headers_set',
  authentication: 'destination.authentication_set',
  timeoutSeconds: 'destination.timeout_set',
  rate: 'destination.rate_set',
  retrySchedule: 'destination.retry_schedule_set',
  debounce: 'destination.debounce_set',
} as const satisfies Record<(typeof optionNames)[number], string>;

type Audit = AuditContext & { readonly targetId: string };

async function auditAll(trx: Knex, change: DestinationChangeInput, audit: Audit): Promise<void> {
  const { ordering, sendsTraceParent } = change;
  if (ordering !== undefined) await recordAudit(trx, { ...audit, action: 'destination.ordered' });
  if (sendsTraceParent !== undefined) {
    const action = sendsTraceParent ? 'destination.trace_header_enabled' : 'destination.trace_header_disabled';
    await recordAudit(trx, { ...audit, action });
  }
  for (const name of optionNames)
    if (change[name] !== undefined) await recordAudit(trx, { ...audit, action: optionActions[name] });
}
