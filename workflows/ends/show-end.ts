import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { stateAttribute } from '../messages/state-attribute.ts';

/** Returns the result. A filter finds it, although a run with a negative result is completed like any other. */
export function showEnd<Result extends string>(result: Result): Result {
  upsertSearchAttributes([{ key: stateAttribute, value: result }]);
  setCurrentDetails(`Ended: ${result}.`);
  return result;
}
