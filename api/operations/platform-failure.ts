import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import { refusalOf } from '../../platform/client/refusals.ts';
import { deadCredentialReason } from '../../platform/oauth/credentials.ts';
import { proofParameter } from '../../platform/client/app-secret-proof.ts';
import { PlatformOutcomeLost, PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { MessageNotAllowed } from '../../platform/operations/native-message.ts';
import { NotOwned } from '../../platform/operations/require-own.ts';
import type { ApiDeps } from '../requests/deps.ts';
import {
  InvalidRequest,
  OutcomeUnknown,
  PlatformUnreachable,
  PlatformRefused,
  ScopeDenied,
} from '../requests/errors.ts';
import { credentialRefused } from '../requests/uncallable.ts';

export interface FailedCall {
  readonly channel: { readonly id: number; readonly publicId: string };
  readonly token: string;
  readonly check: string;
}

export async function platformFailure(deps: ApiDeps, error: unknown, call: FailedCall): Promise<unknown> {
  if (error instanceof PlatformOutcomeLost) {
    return new OutcomeUnknown(
      `The platform's answer was lost (${error.message}): it may or may not have been done. Do not repeat this ` +
        `blindly. ${call.check}`,
    );
  }
  if (error instanceof PlatformUnavailable) {
    const effect = error.mayBeDone
      ? 'It may or may not have been done, and doing it again does no harm.'
      : 'Nothing was sent or published.';
    return new PlatformUnreachable(`${error.message}. ${effect} Try again shortly.`);
  }
  if (error instanceof NotOwned) return new ScopeDenied(error.message);
  if (error instanceof MessageNotAllowed) return new InvalidRequest(`${error.message}.`);
  return error instanceof PlatformRejected ? await refusal(deps, error, call) : error;
}

/** A refused write that may have been done is a PlatformOutcomeLost. */
async function refusal(deps: ApiDeps, error: PlatformRejected, call: FailedCall): Promise<Error> {
  const { kind, code, retryAfterSeconds, says } = refusalOf('read', error);
  if (kind === 'credential') return await refusedCredential(deps, error, call);
  const message = `${says} ${messageOf(error)}`.trim();
  // A repeat fails, too, so that clients must not take an invalid request for a failure of the platform.
  return new PlatformRefused(isOfOperator(error) ? 'PLATFORM_REJECTED' : code, message, {
    retryAfterSeconds: retryAfterSeconds ?? error.retryAfterSeconds ?? undefined,
  });
}

/** Stops further calls. The channel stays connected, because its events arrive without a token. */
async function refusedCredential(
  { db, secretBox, log }: ApiDeps,
  error: PlatformRejected,
  { channel, token }: FailedCall,
): Promise<Error> {
  const reason = deadCredentialReason(error);
  await refuseCredential(db, { of: { channelId: channel.id }, reason, refused: { secretBox, token } });
  log.warn('channelCredential.refused', { channelId: channel.publicId, code: error.code, subcode: error.subcode });
  return credentialRefused(reason);
}

/** The proof is made with the app secret of the installation. */
function isOfOperator({ text }: PlatformRejected): boolean {
  return text?.includes(proofParameter) === true;
}

function messageOf({ status, code, subcode, text }: PlatformRejected): string {
  const codes = [code !== null && `code ${code}`, subcode !== null && `subcode ${subcode}`].filter(Boolean).join(', ');
  return `The platform refused this (${codes || `status ${status}`})${text === null ? '.' : `: ${text}`}`;
}
