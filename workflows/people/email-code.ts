import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { EmailCodeActivities } from '../../activities/people/email-code-activities.ts';
import type { EmailCodeInput, RegistrationEnd } from '../../contract/identity/email-code.ts';
import { failureTypes } from '../../contract/failures.ts';
import { activityQueue, stateAttribute, isOwnCancellation } from '../runs/this-run.ts';
import { codeRefused, registrationEnded } from '../messages/messages.ts';

const { sendCode } = proxyActivities<EmailCodeActivities>({
  taskQueue: activityQueue('codes'),
  // Longer than the mailer's timeouts, 40 s in all.
  startToCloseTimeout: '60s',
  // Retried until the window ends. Each try sends a new code, and only the last one is valid.
  retry: { initialInterval: '1s', maximumInterval: '15s' },
});

const { expireRegistration } = proxyActivities<EmailCodeActivities>({
  // One update, retried until it commits. Until then, the row's own deadline applies.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export type EmailCodeResult = RegistrationEnd | 'expired';

/**
 * Sends a code and expires the registration at the end of its window. The database compares codes; they never reach the
 * workflow.
 */
export async function emailCode({ registrationId, windowMs }: EmailCodeInput): Promise<EmailCodeResult> {
  let ended: RegistrationEnd | undefined;
  let wrongCodes = 0;
  const endedBy = (end: unknown): void => {
    if (end === 'completed' || end === 'locked') ended ??= end;
    else log.warn('signal.ignored', { signal: 'registrationEnded', registrationId });
  };
  setHandler(registrationEnded, endedBy, { description: 'For the service: the registration is completed or locked.' });
  setHandler(codeRefused, () => void wrongCodes++, { description: 'For the service: counts a wrong code.' });

  const endsAtMs = workflowInfo().startTime.getTime() + windowMs;
  let failure: Error | undefined;
  try {
    setCurrentDetails('Sending the code.');
    setCurrentDetails(`${await send({ registrationId, windowMs })} Waiting for the end of the window.`);
    await condition(() => ended !== undefined, Math.max(endsAtMs - Date.now(), 1), { summary: 'registration window' });
  } catch (error) {
    // Cancelling the workflow ends the registration and is not a failure.
    if (!(error instanceof Error)) throw error;
    if (!isOwnCancellation(error)) failure = error;
  }
  const result = ended ?? (await CancellationScope.nonCancellable(() => expireRegistration({ registrationId })));
  if (failure) throw failure;
  upsertSearchAttributes([{ key: stateAttribute, value: result }]);
  setCurrentDetails(`Ended: ${result}. Wrong codes: ${wrongCodes}.`);
  return result;
}

/** A failed email keeps the window open, because ending it would reveal which addresses accept mail. */
async function send({ registrationId, windowMs }: EmailCodeInput): Promise<string> {
  try {
    const sent = await sendCode.executeWithOptions({ scheduleToCloseTimeout: windowMs }, [{ registrationId }]);
    return sent === 'sent' ? 'The code was sent.' : 'The window ended before a code was sent.';
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isOwnCancellation(error)) throw error;
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.type !== failureTypes.mailNotSent) throw error;
    return 'The code could not be sent.';
  }
}
