import { sequencedId } from '../../contract/ids.ts';
import type { SubscriptionChangeInput } from '../../openapi/subscriptions/routes.ts';
import type { AuditContext } from '../../db/audit/record-audit.ts';
import { discardStagedDestination, insertDestination } from '../../db/ledger/destinations/destinations.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { beginSubscriptionEdit, commitSubscriptionEdit } from '../../db/subscriptions/edit-subscription.ts';
import { findSubscription } from '../../db/subscriptions/subscriptions.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import { resultOf, runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, NotFound, OutcomeUnknown, UrlNotAllowed } from '../requests/errors.ts';
import { signalCircuit } from '../deliveries/signal-circuit.ts';

export interface SubscriptionEditRequest {
  readonly channel: ChannelRecord;
  readonly publicId: string;
  readonly change: SubscriptionChangeInput;
  readonly audit: AuditContext;
}

/**
 * Edits all fields or none. A new URL is checked on a staged destination. Of concurrent edits, the one that started
 * last wins.
 */
export async function editSubscription(deps: ApiDeps, request: SubscriptionEditRequest): Promise<void> {
  const { db, idKey, starts } = deps;
  const { channel, publicId, change, audit } = request;
  const url = change.url === undefined ? undefined : parseUrl(deps, 'url', change.url);
  const key = { channelId: channel.id, publicId };
  const present = await findSubscription(db, key);
  if (!present) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
  const revision = await beginSubscriptionEdit(db, present);
  if (url !== undefined && url !== present.url) await requireAllowedUrl(deps, channel, url);
  const { pending = 'follow', ...fields } = change;
  const edited = await commitSubscriptionEdit(db, { ...key, revision, change: { ...fields, url, pending }, audit });
  if (edited.outcome === 'gone') throw new NotFound('SUBSCRIPTION_NOT_FOUND');
  if (edited.outcome === 'overtaken') {
    throw new Conflict('SUBSCRIPTION_CHANGED', 'A later update of this subscription replaced this one.');
  }
  signalCircuit(deps, { destinationId: edited.destinationId, as: 'moved' });
  starts.cancelDeliveries(edited.retrying.map((id) => sequencedId(idKey, 'delivery', id)));
}

async function requireAllowedUrl(deps: ApiDeps, channel: ChannelRecord, url: string): Promise<void> {
  const staged = { type: 'subscription', eventTypes: [], label: null, enabled: true, staged: true } as const;
  const destinationId = await insertDestination(deps.db, { channelId: channel.id, url, ...staged });
  try {
    await requireAllowed(deps, { channel, destinationId });
  } finally {
    await discardStagedDestination(deps.db, destinationId);
  }
}

export async function requireAllowed(
  deps: ApiDeps,
  { channel, destinationId }: { readonly channel: ChannelRecord; readonly destinationId: number },
): Promise<void> {
  const key = { channelId: channel.publicId, destinationId };
  const verdict = await runStaged({
    run: () => deps.starts.checkDestination({ ...key, workspaceId: channel.workspacePublicId }),
    logUnanswered: ({ cause: error }) => deps.log.warn('destinationCheck.unanswered', { ...key, error }),
    // A staged destination has no effect until this request commits it.
    giveUp: () => true,
    decide: resultOf,
    unknown: () =>
      new OutcomeUnknown('The check of the URL did not end in time. Nothing was created or changed; try again.'),
  });
  if (verdict === 'blocked') throw new UrlNotAllowed('url', 'The URL leads to an address that is not public.');
}
