/** `alert.test`: sent on request with a sample alert, and never repeated. */
export const alertCallTypes = ['alert.opened', 'alert.resolved', 'alert.test'] as const;
export type AlertCallType = (typeof alertCallTypes)[number];

/** `skipped`: the webhook no longer selects any of the alerts, or was disabled. */
export type AlertCallOutcome = 'delivered' | 'failed' | 'skipped';

/** Of one attempt. `unsent`: the worker could not send, and the call is due again. */
export type AlertCallResult = AlertCallOutcome | 'retrying' | 'unsent' | 'ended';

/** Alerts that one call lists. Its body is then at most about 100 KB. */
export const MAX_CALLED_ALERTS = 50;
