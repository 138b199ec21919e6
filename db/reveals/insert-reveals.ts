import type { Knex } from 'knex';
import type { SecretKind } from '../../contract/identity/secret-kinds.ts';

/** A secret of a channel, by what tells it from the ones before and after it. */
export interface SecretVersion {
  readonly kind: SecretKind;
  /** Its row, or the version of the verify token. */
  readonly number: number;
}

export interface NewReveal {
  readonly organizationId: number;
  readonly channelId: number;
  readonly userId: number;
  /** Null: in a session. */
  readonly apiKeyId: number | null;
  readonly secrets: readonly SecretVersion[];
}

/** Records who is shown a secret; a repeat updates the record. Returns whether one of them is new to this reader. */
export async function insertReveals(trx: Knex, reveal: NewReveal): Promise<boolean> {
  const { organizationId, channelId, userId, apiKeyId, secrets } = reveal;
  const { rows } = await trx.raw<{ rows: { is_new: boolean }[] }>(
    `insert into secret_reveals as r (organization_id, channel_id, kind, secret_number, user_id, api_key_id)
     select :organizationId, :channelId, s.kind, s.number, :userId, :apiKeyId
     from unnest(cast(:kinds as text[]), cast(:numbers as bigint[])) as s (kind, number)
     on conflict (channel_id, kind, secret_number, user_id, coalesce(api_key_id, 0))
       do update set last_revealed_at = now(), reveal_count = r.reveal_count + 1
     returning reveal_count = 1 as is_new`,
    {
      ...{ organizationId, channelId, userId, apiKeyId },
      kinds: secrets.map(({ kind }) => kind),
      numbers: secrets.map((secret) => secret.number),
    },
  );
  return rows.some((row) => row.is_new);
}
