import { sequencedId } from '../../contract/ids.ts';
import type { SubscriptionChangeInput } from '../../openapi/subscriptions/schema.ts';
import type { AuditContext } from '../../db/audit/record-audit.ts';
import { discardStagedDestination, insertDestination } from '../../db/ledger/destinations/destinations.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { beginSubscriptionEdit, commitSubscriptionEdit } from '../../db/subscriptions/edit-subscription.ts';
import { findSubscription } from '../../db/subscriptions/subscriptions.ts';
import { refuseUrlForm } from '../destinations/refuse-url-form.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, NotFound, OutcomeUnknown, UrlNotAllowed, WorkflowUnavailable } from '../requests/errors.ts';
import { tellCircuit } from '../deliveries/tell-circuit.ts';

export interface SubscriptionEditRequest {
  readonly channel: ChannelRecord;
  readonly publicId: string;
  readonly change: SubscriptionChangeInput;
  readonly audit: AuditContext;
}

/**
 * Edits a subscription: all that was asked for, or nothing. A new URL is judged first, over a staged destination; what
 * began later wins, and the earlier edit is refused when it would commit.
 */
export async function editSubscription(deps: ApiDeps, request: SubscriptionEditRequest): Promise<void> {
  const { db, idKey, temporal } = deps;
  const { channel, publicId, change, audit } = request;
  if (change.url !== undefined) refuseUrlForm(deps, change.url);
  const key = { channelId: channel.id, publicId };
  const present = await findSubscription(db, key);
  if (!present) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
  const revision = await beginSubscriptionEdit(db, present);
  if (change.url !== undefined && change.url !== present.url) await judgeUrl(deps, channel, change.url);
  const { pending = 'follow', ...fields } = change;
  const edited = await commitSubscriptionEdit(db, { ...key, revision, change: { ...fields, pending }, audit });
  if (edited.outcome === 'gone') throw new NotFound('SUBSCRIPTION_NOT_FOUND');
  if (edited.outcome === 'overtaken') {
    throw new Conflict('SUBSCRIPTION_CHANGED', 'A later edit of this subscription overtook this one.');
  }
  tellCircuit(deps, { destinationId: present.destinationId, as: 'moved' });
  temporal.cancelDeliveries(edited.retrying.map((id) => sequencedId(idKey, 'delivery', id)));
}

/** Stages the URL as a destination that is none yet, has it judged, and forgets it. */
async function judgeUrl(deps: ApiDeps, channel: ChannelRecord, url: string): Promise<void> {
  const staged = { type: 'subscription', eventTypes: [], label: null, enabled: true, staged: true } as const;
  const destinationId = await insertDestination(deps.db, { channelId: channel.id, url, ...staged });
  try {
    await requireAllowed(deps, { channel, destinationId });
  } finally {
    await discardStagedDestination(deps.db, destinationId);
  }
}

/** Has the addresses behind a staged destination's URL judged; refuses one that may not be called. */
export async function requireAllowed(
  deps: ApiDeps,
  { channel, destinationId }: { readonly channel: ChannelRecord; readonly destinationId: number },
): Promise<void> {
  const started = await deps.temporal.checkDestination({
    channelId: channel.publicId,
    workspaceId: channel.workspacePublicId,
    destinationId,
  });
  if (started.state === 'not_started') throw new WorkflowUnavailable();
  if (started.state === 'unknown') {
    deps.log.warn('destinationCheck.unanswered', { channelId: channel.publicId, destinationId, error: started.cause });
    throw new OutcomeUnknown('The check of the URL did not end in time. Nothing was created or changed; try again.');
  }
  if (started.result === 'blocked') throw new UrlNotAllowed('The URL leads to an address that is not public.');
}
