import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import type { SecretKind } from '../../contract/identity/secret-kinds.ts';

export interface SecretVersion {
  readonly kind: SecretKind;
  /** The id of the secret's row, or the version of the verify token. */
  readonly number: number;
}

export interface NewReveal {
  readonly organizationId: number;
  readonly channelId: number;
  readonly userId: number;
  /** Null if revealed in a session. */
  readonly apiKeyId: number | null;
  readonly secrets: readonly SecretVersion[];
}

/** Records who is shown secrets. Returns whether a secret is new to this reader. */
export async function insertReveals(trx: Knex, reveal: NewReveal): Promise<boolean> {
  const { organizationId, channelId, userId, apiKeyId, secrets } = reveal;
  const revealed = await queryRows<{ isNew: boolean }>(
    trx,
    `insert into secret_reveals as r (organization_id, channel_id, kind, secret_number, user_id, api_key_id)
     select :organizationId, :channelId, s.kind, s.number, :userId, :apiKeyId
     from unnest(cast(:kinds as text[]), cast(:numbers as bigint[])) as s (kind, number)
     on conflict (channel_id, kind, secret_number, user_id, coalesce(api_key_id, 0))
       do update set last_revealed_at = now(), reveal_count = r.reveal_count + 1
     returning reveal_count = 1 as "isNew"`,
    {
      organizationId,
      channelId,
      userId,
      apiKeyId,
      kinds: secrets.map(({ kind }) => kind),
      numbers: secrets.map((secret) => secret.number),
    },
  );
  return revealed.some(({ isNew }) => isNew);
}
