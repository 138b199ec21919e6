import {
  ActivityFailure,
  type ActivityInput,
  getCurrentDetails,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../../contract/search-attributes.ts';

/** With the usual waits, four to fifteen minutes: longer than a restart of the database or a fail-over. */
const ATTEMPTS_UNTIL_BLOCKED = 20;
/** An hour or two. Each further call adds three events to the history of the run. */
const ATTEMPTS_WHILE_BLOCKED = 200;

type AnyActivity = (...args: unknown[]) => Promise<unknown>;

/**
 * Shows a run that cannot continue, because an activity without a limit of attempts keeps failing. The search attribute
 * names the activity, and the details say why it fails. The activity is tried again until it succeeds, so that the run
 * continues once the reason has ended.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const blocked: string[] = [];

  function show(): void {
    upsertSearchAttributes([{ key: blockedByAttribute, value: blocked[0] ?? null }]);
  }

  async function tryAgain(input: ActivityInput, first: ActivityFailure): Promise<unknown> {
    const { activityType } = input;
    const details = getCurrentDetails();
    blocked.push(activityType);
    show();
    try {
      return await untilDone(input, first);
    } finally {
      blocked.splice(blocked.indexOf(activityType), 1);
      show();
      setCurrentDetails(details);
    }
  }

  return {
    outbound: [
      {
        scheduleActivity(input, next) {
          if (!isTriedForever(input)) return next(input);
          const retry = { ...input.options.retry, maximumAttempts: ATTEMPTS_UNTIL_BLOCKED };
          return next({ ...input, options: { ...input.options, retry } }).catch((error: unknown) => {
            if (!hasUsedAttempts(error)) throw error;
            return tryAgain(input, error);
          });
        },
      },
    ],
  };
};

async function untilDone({ activityType, args, options }: ActivityInput, first: ActivityFailure): Promise<unknown> {
  const retry = { ...options.retry, maximumAttempts: ATTEMPTS_WHILE_BLOCKED };
  const activities = proxyActivities<Record<string, AnyActivity>>({ ...options, retry });
  for (let failure = first; ;) {
    setCurrentDetails(`Blocked: ${activityType} keeps failing, and is tried again. Last: ${failure.cause?.message}`);
    try {
      return await activities[activityType]!(...args);
    } catch (error) {
      if (!hasUsedAttempts(error)) throw error;
      failure = error;
    }
  }
}

/** Also without a retry policy: the server's default has no limit. */
function isTriedForever({ options: { retry, scheduleToCloseTimeout } }: ActivityInput): boolean {
  return retry?.maximumAttempts === undefined && scheduleToCloseTimeout === undefined;
}

function hasUsedAttempts(error: unknown): error is ActivityFailure {
  return error instanceof ActivityFailure && error.retryState === 'MAXIMUM_ATTEMPTS_REACHED';
}

const blockedByAttribute = defineSearchAttributeKey(searchAttributes.blockedBy, SearchAttributeType.KEYWORD);
