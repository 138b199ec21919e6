import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import { webhookSecretText } from '../../contract/deliveries/signature.ts';
import { Model } from './model.ts';
import type { SecretBox } from './secret-box.ts';

/** The digest's length; Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A secret that signs calls. An owner has one current secret, and earlier ones until their overlap ends. */
export class SigningSecretModel extends Model {
  declare id: number;
  declare secretEncrypted: string;
  /** Null for the current secret. */
  declare expiresAt: Date | null;
  /** Of the rotation that drew it. */
  declare idempotencyKeyHash: Buffer | null;
  declare overlapSeconds: number | null;
  declare previousExpiresAt: Date | null;
  declare createdAt: Date;
}

/** The secrets of one owner. */
export interface SigningSecrets {
  readonly model: typeof SigningSecretModel;
  /** The column of the owner, with its id. */
  readonly owner: Readonly<Record<string, number>>;
  readonly secretBox: SecretBox;
  readonly context: string;
}

export interface SigningSecret {
  readonly id: number;
  readonly secret: string;
}

export interface SecretRotation {
  readonly overlapSeconds: number;
  readonly idempotencyKeyHash: Buffer | null;
}

export interface RotatedSecret extends SigningSecret {
  /** Null if the previous secret ended at once. */
  readonly previousExpiresAt: Date | null;
}

export function freshSecret(): string {
  return webhookSecretText(randomBytes(SECRET_BYTES).toString('base64'));
}

/** Returns the text, which callers may show once. */
export async function insertSecret(
  trx: Knex,
  { model, owner, secretBox, context }: SigningSecrets,
  rotation?: SecretRotation & Pick<RotatedSecret, 'previousExpiresAt'>,
): Promise<SigningSecret> {
  const secret = freshSecret();
  const row = { ...owner, ...rotation, secretEncrypted: secretBox.seal(secret, context) };
  const { id } = await model.query(trx).insert(row);
  return { id, secret };
}

/**
 * The caller must serialize the rotations of an owner. The current secret ends after the overlap, and an earlier overlap
 * ends now. A repeated idempotency key returns the same secret, or undefined if the overlap differs.
 */
export async function rotateSecret(
  trx: Knex,
  secrets: SigningSecrets,
  rotation: SecretRotation,
): Promise<(RotatedSecret & { readonly isRepeated: boolean }) | undefined> {
  const { model, owner, secretBox, context } = secrets;
  const { overlapSeconds, idempotencyKeyHash } = rotation;
  const own = () => model.query(trx).where(owner);
  const made = idempotencyKeyHash && (await own().findOne({ idempotency_key_hash: idempotencyKeyHash }));
  if (made) {
    if (made.overlapSeconds !== overlapSeconds) return undefined;
    const { id, previousExpiresAt } = made;
    return { id, secret: secretBox.open(made.secretEncrypted, context), previousExpiresAt, isRepeated: true };
  }
  await own()
    .where('expires_at', '>', raw('now()'))
    .patch({ expiresAt: raw('now()') });
  const [ended] = await own()
    .whereNull('expires_at')
    .patch({ expiresAt: raw(`now() + ? * interval '1 second'`, [overlapSeconds]) })
    .returning('expires_at');
  const previousExpiresAt = overlapSeconds === 0 ? null : (ended?.expiresAt ?? null);
  const inserted = await insertSecret(trx, secrets, { ...rotation, previousExpiresAt });
  return { ...inserted, previousExpiresAt, isRepeated: false };
}
