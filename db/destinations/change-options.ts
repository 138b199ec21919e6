import type { Knex } from 'knex';
import {
  changedOptions,
  type DestinationCredentials,
  type DestinationOptions,
  noCredentials,
  type OptionsChange,
} from '../../contract/destinations/options.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { DestinationModel } from '../models/destination.ts';

export interface ChangeOptions {
  readonly channel: { readonly id: number; readonly publicId: string };
  /** Null for the webhook. */
  readonly subscriptionId: string | null;
  readonly change: OptionsChange;
  readonly secretBox: SecretBox;
}

export type ChangedOptions =
  { readonly outcome: 'changed' | 'not_found' } | { readonly outcome: 'refused'; readonly problem: string };

/**
 * Changes how the destination is sent to, from the next claim on: rows that its pump has claimed are claimed again. The
 * previous URLs that are kept for it stay as they are. Must run in a transaction.
 */
export async function changeOptions(trx: Knex, request: ChangeOptions): Promise<ChangedOptions> {
  const { channel, subscriptionId, change, secretBox } = request;
  const [present] = await queryRows<PresentOptions>(trx, presentSql, { channelId: channel.id, subscriptionId });
  if (!present) return { outcome: 'not_found' };
  const context = sealedContexts.destinationCredentials(channel.publicId);
  const { options, sealed } = present;
  const credentials =
    sealed === null ? noCredentials : (JSON.parse(secretBox.open(sealed, context)) as DestinationCredentials);
  const changed = changedOptions({ options: options ?? {}, credentials }, change, toBase64);
  if ('problem' in changed) return { outcome: 'refused', problem: changed.problem };
  const { headers, authorization } = changed.credentials;
  const isSecret = authorization !== null || Object.keys(headers).length > 0;
  await DestinationModel.query(trx)
    .findById(present.id)
    .patch({
      options: Object.keys(changed.options).length > 0 ? changed.options : null,
      credentialsEncrypted: isSecret ? secretBox.seal(JSON.stringify(changed.credentials), context) : null,
      updatedAt: trx.fn.now(),
    });
  await notifyChanged(trx, [present.id]);
  return { outcome: 'changed' };
}

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

interface PresentOptions {
  readonly id: number;
  readonly options: DestinationOptions | null;
  readonly sealed: string | null;
}

const presentSql = `
select d.id, d.options, d.credentials_encrypted as sealed from destinations d
where d.deleted_at is null and d.id = (
  select c.destination_id from webhook_configs c
  where c.channel_id = :channelId and cast(:subscriptionId as text) is null
  union all
  select s.destination_id from subscriptions s where s.channel_id = :channelId and s.public_id = :subscriptionId)
for no key update`;
