import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { until } from '../until.ts';

export interface WorkflowView {
  readonly runId: string;
  readonly status: string;
  readonly summary: string | undefined;
  readonly searchAttributes: Readonly<Record<string, unknown>>;
  readonly steps: readonly string[];
}

export async function viewWorkflow(temporal: Client, workflowId: string): Promise<WorkflowView> {
  const handle = temporal.workflow.getHandle(workflowId);
  const description = await handle.describe();
  const { events } = await handle.fetchHistory();
  const steps = (events ?? []).flatMap((event) => {
    const isStep = event.timerStartedEventAttributes ?? event.activityTaskScheduledEventAttributes;
    const payload = isStep && event.userMetadata?.summary;
    return payload ? [String(defaultPayloadConverter.fromPayload(payload))] : [];
  });
  const { runId, status, typedSearchAttributes } = description;
  const keywords = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value] as const);
  return {
    runId,
    status: status.name,
    summary: await description.staticSummary(),
    searchAttributes: Object.fromEntries(keywords),
    steps,
  };
}

/** Waits until a workflow has started and its run is as expected. */
export async function untilWorkflow(
  temporal: Client,
  workflowId: string,
  isIt: (view: WorkflowView) => boolean = () => true,
): Promise<WorkflowView> {
  const look = async () => {
    const view = await viewWorkflow(temporal, workflowId).catch(() => undefined);
    return view && isIt(view) && view;
  };
  return await until(look, { for: `${workflowId} as expected` });
}

export const hasEnded = ({ status }: WorkflowView): boolean => status !== 'RUNNING';
