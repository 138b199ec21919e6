import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { EmailCodeActivities } from '../../activities/people/email-code-activities.ts';
import type { EmailCodeInput, RegistrationEnd } from '../../contract/identity/email-code.ts';
import { failureTypes } from '../../contract/failures.ts';
import { codeRefused, registrationEnded } from '../messages/email-codes.ts';
import { stateAttribute } from '../messages/state-attribute.ts';

const { sendCode } = proxyActivities<EmailCodeActivities>({
  // The mailer's own deadlines end it within 45 s; the rest is room for one row.
  startToCloseTimeout: '60s',
  // A mail server that is away is tried again for as long as the code would be of use: each call is bounded by the
  // window. Each try sends a code of its own, and the last one counts.
  retry: { initialInterval: '1s', maximumInterval: '15s' },
});

const { expireRegistration } = proxyActivities<EmailCodeActivities>({
  // One conditional update; retried until the database takes it. The window in the row holds meanwhile.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export type EmailCodeResult = RegistrationEnd | 'expired';

/**
 * Owns a registration: has its code sent, then waits until the right code or the fifth wrong one ends it, and ends it
 * itself when the window is over. Codes are compared in the database, and never come here.
 */
export async function emailCode({ registrationId, windowMs }: EmailCodeInput): Promise<EmailCodeResult> {
  let ended: RegistrationEnd | undefined;
  let wrongCodes = 0;
  setHandler(registrationEnded, (how) => {
    ended ??= how;
  });
  setHandler(codeRefused, () => {
    wrongCodes++;
  });

  const endsAtMs = workflowInfo().startTime.getTime() + windowMs;
  let failure: Error | undefined;
  try {
    setCurrentDetails('The code is being sent.');
    setCurrentDetails(`${await send({ registrationId, windowMs })} Waits for the window's end.`);
    await condition(() => ended !== undefined, Math.max(endsAtMs - Date.now(), 1), { summary: 'the window' });
  } catch (error) {
    // Cancelling this run ends the registration, and is no failure.
    if (!(error instanceof Error)) throw error;
    if (!isCancellation(error)) failure = error;
  }
  const result = ended ?? (await CancellationScope.nonCancellable(() => expireRegistration({ registrationId })));
  if (failure) throw failure;
  upsertSearchAttributes([{ key: stateAttribute, value: result }]);
  setCurrentDetails(`Ended: ${result}, ${wrongCodes} wrong codes.`);
  return result;
}

/**
 * Sends the code. One that could not be sent leaves the window open all the same: its end would tell addresses that
 * take mail from others. Only an installation that can't send at all gives up.
 */
async function send({ registrationId, windowMs }: EmailCodeInput): Promise<string> {
  try {
    const sent = await sendCode.executeWithOptions({ scheduleToCloseTimeout: windowMs }, [{ registrationId }]);
    return sent === 'sent' ? 'The code was sent.' : 'The window was over before a code was sent.';
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.type !== failureTypes.mailNotSent) throw error;
    return 'The code could not be sent.';
  }
}
