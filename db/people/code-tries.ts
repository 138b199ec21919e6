import type { Knex } from 'knex';
import { raw } from 'objection';
import { MAX_WRONG_CODES, type RegistrationPurpose } from '../../contract/identity/email-code.ts';
import { queryRows } from '../core/query-rows.ts';
import { CodeTryModel, EmailRegistrationModel } from '../models/email-registration.ts';

/**
 * Limits wrong codes across the whole installation, because an attacker needs only one account. A try is counted before
 * its code is compared, and returned unless the code was wrong, so a burst cannot exceed the limit. A known browser's
 * tries do not count: it can only try the codes of one address.
 */
export interface TriedRegistration {
  readonly purpose: RegistrationPurpose;
  readonly publicId: string;
}

export type TryBound = 'client' | 'network' | 'installation';

export type CountedTry =
  /** Null if the try does not count. */
  | { readonly state: 'counted'; readonly id: number | null }
  | { readonly state: 'limited'; readonly bound: TryBound; readonly retryAfterSeconds: number };

/** An arbitrary advisory lock key. */
const TRIES_LOCK = 70_214;

/** Shares of the limit, so that one address or network cannot use it up. */
const CLIENT_SHARE = 1 / 4;
const NETWORK_SHARE = 1 / 2;

type Guesser = Pick<EmailRegistrationModel, 'clientHash' | 'networkHash'>;

export async function countTry(db: Knex, attempt: TriedRegistration, wrongPerHour: number): Promise<CountedTry> {
  const guesser = await findGuesser(db, attempt);
  if (!guesser) return { state: 'counted', id: null };
  return await db.transaction(async (trx): Promise<CountedTry> => {
    await queryRows(trx, 'select pg_advisory_xact_lock(:lock)', { lock: TRIES_LOCK });
    await CodeTryModel.query(trx).delete().where('tried_at', '<=', raw("clock_timestamp() - interval '1 hour'"));
    for (const { bound, of, limit } of boundsOf(guesser, wrongPerHour)) {
      const retryAfterSeconds = await secondsUntilFree(trx, { of, limit });
      if (retryAfterSeconds > 0) return { state: 'limited', bound, retryAfterSeconds };
    }
    const { clientHash, networkHash } = guesser;
    const { id } = await CodeTryModel.query(trx).insert({ clientHash, networkHash, triedAt: raw('clock_timestamp()') });
    return { state: 'counted', id };
  });
}

export async function returnTry(trx: Knex, id: number | null): Promise<void> {
  if (id !== null) await CodeTryModel.query(trx).deleteById(id);
}

async function findGuesser(db: Knex, { purpose, publicId }: TriedRegistration): Promise<Guesser | undefined> {
  return await EmailRegistrationModel.query(db)
    .select('client_hash', 'network_hash')
    .findOne({ public_id: publicId, purpose, status: 'open', browser_hash: null })
    .where('expires_at', '>', raw('now()'));
}

interface Share {
  readonly of: Readonly<Record<string, Buffer>>;
  readonly limit: number;
}

function boundsOf({ clientHash, networkHash }: Guesser, wrongPerHour: number) {
  const share = (part: number) => Math.max(MAX_WRONG_CODES, Math.floor(wrongPerHour * part));
  const bounds: (Share & { readonly bound: TryBound })[] = [
    { bound: 'installation', of: {}, limit: wrongPerHour },
    { bound: 'client', of: { client_hash: clientHash }, limit: share(CLIENT_SHARE) },
  ];
  if (networkHash) bounds.push({ bound: 'network', of: { network_hash: networkHash }, limit: share(NETWORK_SHARE) });
  return bounds;
}

async function secondsUntilFree(trx: Knex, { of, limit }: Share): Promise<number> {
  const oldest = await CodeTryModel.query(trx)
    .select(secondsLeft)
    .where(of)
    .orderBy('tried_at', 'desc')
    .offset(limit - 1)
    .first()
    .castTo<{ seconds: number } | undefined>();
  return oldest ? Math.max(oldest.seconds, 1) : 0;
}

const secondsLeft = raw("ceil(extract(epoch from tried_at + interval '1 hour' - clock_timestamp()))::int").as(
  'seconds',
);
