import type { ApiMeter } from '../metrics/api-metrics.ts';
import type { WorkflowStarts } from './workflow-starts.ts';

/** Counts the workflows that routes ask for, by what came of it. */
export function meteredStarts(starts: WorkflowStarts, meter: Pick<ApiMeter, 'workflowStarted'>): WorkflowStarts {
  function counted<Input extends unknown[], Answer extends { readonly state: string }>(
    workflow: string,
    call: (...input: Input) => Promise<Answer>,
  ): (...input: Input) => Promise<Answer> {
    return async (...input) => {
      const answer = await call(...input);
      meter.workflowStarted(workflow, answer.state);
      return answer;
    };
  }
  return {
    ...starts,
    saveWebhook: counted('saveWebhook', starts.saveWebhook),
    checkDestination: counted('checkDestination', starts.checkDestination),
    retryDelivery: counted('deliverWebhook', starts.retryDelivery),
    sendTestEvent: counted('sendTestEvent', starts.sendTestEvent),
    startEmailCode: counted('emailCode', starts.startEmailCode),
    sendInvitation: counted('sendInvitation', starts.sendInvitation),
    tellCircuit: counted('destinationCircuit', starts.tellCircuit),
    replayMoved: counted('replayDeliveries', starts.replayMoved),
  };
}
