import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { addressBlock, addressNetwork } from '../../contract/addresses/classify-address.ts';
import { CODE_WINDOW_MS, type RegistrationPurpose } from '../../contract/identity/email-code.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { countTry, returnTry } from '../../db/people/code-tries.ts';
import { type Completion, completeRegistration, type Registration } from '../../db/people/email-codes.ts';
import {
  expireRegistration,
  openRegistration,
  type OpenedRegistration,
  withdrawRegistration,
} from '../../db/people/email-registrations.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';
import { resultOf, runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { OtpExpired, OtpInvalid, OtpLocked, OutcomeUnknown, TooManyRequests } from '../requests/errors.ts';

export interface CodeRequest {
  readonly purpose: RegistrationPurpose;
  /** In lower case. */
  readonly email: string;
  /** Null for a sign-in. */
  readonly scopes: readonly Scope[] | null;
  readonly organizationId: number | null;
  readonly clientAddress: string;
  readonly browserHash: Buffer | null;
}

/**
 * Never reads whether the address has an account, so that neither the response nor its time reveals it. Closes the
 * registration if its workflow, which would expire it, may not run.
 */
export async function requestCode(deps: ApiDeps, request: CodeRequest): Promise<OpenedRegistration> {
  const { db, emailCodes, signingRing } = deps;
  const { clientAddress, ...registration } = request;
  const opened = await openRegistration(db, {
    ...registration,
    ...clientHashes(signingRing, clientAddress),
    windowMs: CODE_WINDOW_MS,
    limits: { perAddress: emailCodes.perAddressHourly, perClient: emailCodes.perClientHourly },
  });
  if (opened.state === 'limited') throw new TooManyRequests(opened.retryAfterSeconds);
  await startWindow(deps, opened);
  return opened;
}

async function startWindow({ db, starts, log }: ApiDeps, { id, publicId }: OpenedRegistration) {
  await runStaged({
    run: () => starts.emailCode({ id, publicId, windowMs: CODE_WINDOW_MS }),
    logUnanswered: ({ state, cause: error }) =>
      log.warn('registration.startFailed', { registrationId: publicId, state, error }),
    giveUp: async (state) => {
      await (state === 'not_started' ? withdrawRegistration(db, { id }) : expireRegistration(db, { id }));
      return true;
    },
    decide: resultOf,
    unknown: () => new OutcomeUnknown('A code may have been sent, but it is not valid. Request a new one.'),
  });
}

export interface CodeRedemption {
  readonly purpose: RegistrationPurpose;
  readonly registrationId: string;
  readonly otp: string;
  readonly requestId: string;
  readonly clientAddress: string;
}

type Redeemed<Result> =
  Exclude<Completion, { state: 'completed' }> | { readonly state: 'completed'; readonly result: Result };

/**
 * Runs `act` in the transaction that accepts the code. Wrong codes are counted before they are refused. If `act`
 * throws, the code stays valid; to use it up, `act` must return its refusal.
 */
export async function redeemCode<Result>(
  deps: ApiDeps,
  redemption: CodeRedemption,
  act: (trx: Knex.Transaction, registration: Registration) => Promise<Result>,
): Promise<Result> {
  const { purpose, registrationId: publicId, otp } = redemption;
  const tryId = await countedTry(deps, redemption);
  const redeemed = await deps.db.transaction(async (trx): Promise<Redeemed<Result>> => {
    const completion = await completeRegistration(trx, { purpose, publicId, otp, signingRing: deps.signingRing });
    if (!isWrongCode(completion)) await returnTry(trx, tryId);
    if (completion.state === 'completed') {
      return { state: 'completed', result: await act(trx, completion.registration) };
    }
    if (completion.state === 'locked' && completion.now) await recordLock(trx, redemption);
    return completion;
  });
  if (isWrongCode(redeemed)) deps.meter?.codeRefused('wrong');
  switch (redeemed.state) {
    case 'completed':
      deps.starts.signalCode({ publicId, result: 'completed' });
      return redeemed.result;
    case 'invalid':
      deps.starts.signalCode({ publicId, result: 'refused' });
      throw new OtpInvalid(redeemed.triesLeft);
    case 'locked':
      if (redeemed.now) deps.starts.signalCode({ publicId, result: 'locked' });
      throw new OtpLocked(redeemed.retryAfterSeconds);
    case 'expired':
    case 'unknown':
      throw new OtpExpired();
  }
}

/** Throws TooManyRequests before the code is compared. */
async function countedTry(deps: ApiDeps, { purpose, registrationId }: CodeRedemption): Promise<number | null> {
  const { db, emailCodes, log, meter } = deps;
  const counted = await countTry(db, { purpose, publicId: registrationId }, emailCodes.wrongHourly);
  if (counted.state === 'counted') return counted.id;
  const { bound, retryAfterSeconds } = counted;
  log.warn('code.refused', { registrationId, bound, retryAfterSeconds });
  meter?.codeRefused(bound);
  throw new TooManyRequests(retryAfterSeconds);
}

function isWrongCode(outcome: Completion | Redeemed<unknown>): boolean {
  return outcome.state === 'invalid' || (outcome.state === 'locked' && outcome.now);
}

async function recordLock(trx: Knex, { registrationId, requestId, clientAddress }: CodeRedemption): Promise<void> {
  const actor = { type: 'system', id: 'email-code' } as const;
  const act = { action: 'registration.locked', targetId: registrationId, requestId, clientAddress };
  await recordAudit(trx, { organizationId: null, actor, ...act });
}

/** Hashed, so that no address is stored. Counts restart when the active key changes. */
function clientHashes(signingRing: SigningRing, clientAddress: string) {
  const { bytes } = signingRing.active('client-address');
  const hashOf = (block: string) => createHmac('sha256', bytes).update(`client-address/${block}`).digest();
  const network = addressNetwork(clientAddress);
  return {
    clientHash: hashOf(addressBlock(clientAddress)),
    networkHash: network === undefined ? null : hashOf(network),
  };
}
