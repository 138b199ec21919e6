import type { Knex } from 'knex';
import { raw } from 'objection';
import { MAX_WRONG_CODES, REQUESTERS_PER_ADDRESS } from '../../contract/identity/email-code.ts';
import { type Columns, insertWithFreshId } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { EmailRegistrationModel } from '../models/email-registration.ts';
import { SHARES_PER_NETWORK } from '../../contract/addresses/classify-address.ts';

/**
 * A registration is `open` until the right code completes it, the fifth wrong code locks it, or it expires. Each
 * transition is one conditional statement under the row's lock.
 */
export type RegistrationStatus = EmailRegistrationModel['status'];

export interface NewRegistration extends Columns<
  EmailRegistrationModel,
  'purpose' | 'email' | 'scopes' | 'organizationId' | 'clientHash' | 'networkHash' | 'browserHash'
> {
  readonly windowMs: number;
  readonly limits: RegistrationLimits;
}

export interface OpenedRegistration {
  readonly state: 'opened';
  readonly id: number;
  readonly publicId: string;
  readonly expiresAt: Date;
}

export type Opening = OpenedRegistration | { readonly state: 'limited'; readonly retryAfterSeconds: number };

/** Arbitrary first keys of three families of advisory locks. */
const EMAIL_LOCK = 70_211;
const CLIENT_LOCK = 70_212;
const NETWORK_LOCK = 70_213;

/** All callers lock the address, the client and its network, in this order. */
export async function openRegistration(db: Knex, registration: NewRegistration): Promise<Opening> {
  return await db.transaction(async (trx) => {
    const { email, clientHash, networkHash, limits } = registration;
    await lock(trx, EMAIL_LOCK, email);
    await lock(trx, CLIENT_LOCK, clientHash.toString('base64'));
    if (networkHash) await lock(trx, NETWORK_LOCK, networkHash.toString('base64'));
    const known = await isKnown(trx, registration);
    const check = await checkShares(trx, { ...registration, known }, limits);
    if (check.state === 'full') return { state: 'limited', retryAfterSeconds: check.retryAfterSeconds };
    return await insertRegistration(trx, {
      ...registration,
      known,
      wrongCount: check.isCrowded ? MAX_WRONG_CODES - 1 : 0,
    });
  });
}

async function lock(trx: Knex, family: number, name: string): Promise<void> {
  await queryRows(trx, 'select pg_advisory_xact_lock(:family, hashtext(:name))', { family, name });
}

type CountedRegistration = NewRegistration & { readonly known: boolean; readonly wrongCount: number };

async function insertRegistration(trx: Knex, registration: CountedRegistration): Promise<OpenedRegistration> {
  const { purpose, email, scopes, organizationId, windowMs } = registration;
  const { clientHash, networkHash, browserHash, known, wrongCount } = registration;
  const { id, publicId, expiresAt } = await insertWithFreshId(trx, EmailRegistrationModel, {
    kind: 'registration',
    values: {
      purpose,
      email,
      scopes,
      organizationId,
      clientHash,
      networkHash,
      browserHash,
      known,
      wrongCount,
      expiresAt: raw("now() + ? * interval '1 millisecond'", windowMs),
    },
  });
  return { state: 'opened', id, publicId, expiresAt };
}

/** Call only if the code was never sent. */
export async function withdrawRegistration(db: Knex, { id }: { id: number }): Promise<void> {
  await EmailRegistrationModel.query(db).delete().where({ id, status: 'open', code_hash: null });
}

export async function expireRegistration(db: Knex, { id }: { id: number }): Promise<RegistrationStatus | undefined> {
  await EmailRegistrationModel.query(db).patch({ status: 'expired' }).where({ id, status: 'open' });
  const registration = await EmailRegistrationModel.query(db).select('status').findById(id);
  return registration?.status;
}

/**
 * Limits the codes requested within an hour. Each client has its own share of an address, and known browsers and
 * clients are counted separately, so that strangers cannot use up the owner's share. Beyond the share of one client,
 * each code allows a single try, because more codes would allow more guesses.
 */
interface RegistrationLimits {
  /** From one client or one known browser. */
  readonly perAddress: number;
  /** For all addresses. An IPv6 /48 has the shares of several clients. */
  readonly perClient: number;
}

type Requester = Columns<EmailRegistrationModel, 'email' | 'clientHash' | 'networkHash' | 'browserHash'>;

type ShareCheck =
  | { readonly state: 'full'; readonly retryAfterSeconds: number }
  /** True if strangers have used up the share of one client. */
  | { readonly state: 'free'; readonly isCrowded: boolean };

async function isKnown(trx: Knex, { email, clientHash, browserHash }: Requester): Promise<boolean> {
  if (browserHash) return true;
  const completed = await EmailRegistrationModel.query(trx)
    .select('id')
    .findOne({ email, client_hash: clientHash, status: 'completed' });
  return completed !== undefined;
}

/** The caller must hold the locks of the address, the client and its network. */
async function checkShares(
  trx: Knex,
  requester: Requester & { readonly known: boolean },
  limits: RegistrationLimits,
): Promise<ShareCheck> {
  let retryAfterSeconds = 0;
  for (const share of sharesOf(requester, limits)) {
    retryAfterSeconds = Math.max(retryAfterSeconds, await secondsUntilFree(trx, share));
  }
  if (retryAfterSeconds > 0) return { state: 'full', retryAfterSeconds };
  const oneShare = { of: ofAddress(requester), limit: limits.perAddress };
  return { state: 'free', isCrowded: !requester.known && (await secondsUntilFree(trx, oneShare)) > 0 };
}

interface Share {
  /** Columns by which registrations count together; null matches null. */
  readonly of: Readonly<Record<string, string | boolean | Buffer | null>>;
  readonly limit: number;
}

const ofAddress = ({ email, known }: Requester & { readonly known: boolean }) => ({ email, known });

/** Others behind the same client address do not use up the share of a known browser. */
function sharesOf(
  requester: Requester & { readonly known: boolean },
  { perAddress, perClient }: RegistrationLimits,
): readonly Share[] {
  const { email, clientHash, networkHash, browserHash } = requester;
  const all = { of: ofAddress(requester), limit: perAddress * REQUESTERS_PER_ADDRESS };
  if (browserHash) return [all, { of: { email, browser_hash: browserHash }, limit: perAddress }];
  const byClient = { client_hash: clientHash, browser_hash: null };
  return [
    all,
    { of: { email, ...byClient }, limit: perAddress },
    { of: byClient, limit: perClient },
    ...(networkHash ? [ofNetwork(networkHash, perClient)] : []),
  ];
}

const ofNetwork = (networkHash: Buffer, perClient: number): Share => ({
  of: { network_hash: networkHash, browser_hash: null },
  limit: perClient * SHARES_PER_NETWORK,
});

async function secondsUntilFree(trx: Knex, { of, limit }: Share): Promise<number> {
  const oldest = await EmailRegistrationModel.query(trx)
    .select(secondsLeft)
    .where(of)
    .where('created_at', '>', raw("now() - interval '1 hour'"))
    .orderBy('created_at', 'desc')
    .offset(limit - 1)
    .first()
    .castTo<{ seconds: number } | undefined>();
  return oldest ? Math.max(oldest.seconds, 1) : 0;
}

const secondsLeft = raw("ceil(extract(epoch from created_at + interval '1 hour' - now()))::int").as('seconds');
