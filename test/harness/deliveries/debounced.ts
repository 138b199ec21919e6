import type { Debounce, OptionsChange } from '../../../contract/destinations/options.ts';
import { changeOptions } from '../../../db/destinations/change-options.ts';
import type { ReceivedRequest } from '../../../simulator/receiver/scripted-webhook.ts';
import { testSecretBox } from '../tenants.ts';
import type { HotLedger } from './hot-ledger.ts';

type Stage = Pick<HotLedger, 'db' | 'channel'> & { readonly destination: { readonly id: number } };

/** As the API does, for the webhook of the stage. */
export async function setOptions({ db, channel, destination }: Stage, change: OptionsChange): Promise<void> {
  const isSet = { destination_id: destination.id, verify_token_encrypted: 'sealed', verified_at: new Date() };
  await db('webhook_configs')
    .insert({ channel_id: channel.id, ...isSet })
    .onConflict('channel_id')
    .merge(isSet);
  const request = { channel, subscriptionId: null, change, secretBox: testSecretBox };
  const { outcome } = await db.transaction((trx) => changeOptions(trx, request));
  if (outcome !== 'changed') throw new Error(outcome);
}

export const setDebounce = (stage: Stage, debounce: Debounce | null): Promise<void> => setOptions(stage, { debounce });

/** Ends the windows of all waiting deliveries, as if they had begun an hour ago. */
export async function passWindows({ db }: Pick<HotLedger, 'db'>): Promise<void> {
  await db.raw("update deliveries set created_at = created_at - interval '1 hour' where status = 'pending'");
}

export interface SentItem {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly event: unknown;
}

export function itemsOf({ bodyBase64 }: ReceivedRequest): readonly SentItem[] {
  return JSON.parse(Buffer.from(bodyBase64!, 'base64').toString()) as SentItem[];
}
