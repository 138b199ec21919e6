import type { ExecutionContext } from 'ava';
import type { WorkflowHandle } from '@temporalio/client';
import type { PublishStep, Resolution } from '../../../activities/containers/container-publish-activities.ts';
import type {
  ContainerEndReason,
  CheckContainer,
  CheckResult,
  PartOfContainer,
} from '../../../activities/containers/container-activities.ts';
import { type ContainerStatus, containerMayBecome, type PartOutcome } from '../../../contract/containers/status.ts';
import type { CarryContainerInput } from '../../../contract/containers/workflow.ts';
import { searchAttributes } from '../../../contract/search-attributes.ts';
import type { carryContainer } from '../../../workflows/containers/carry-container.ts';
import { containerProgress } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const DAY_MS = 86_400_000;

/** With a status, the row has it before the activity answers. */
type Answer<Result, Input = never> =
  | Result
  | { readonly row: ContainerStatus; readonly answer: Result | Error }
  | ((input: Input) => Result | Promise<Result>);
type Answers<Result, Input = never> = readonly Answer<Result, Input>[];

/** The last result of each activity repeats. */
export interface Script {
  readonly createPart?: Answers<PartOutcome, PartOfContainer>;
  readonly settleCreate?: Answers<PartOutcome, PartOfContainer>;
  readonly checkContainer?: Answers<CheckResult, CheckContainer>;
  readonly publishOnce?: Answers<PublishStep>;
  readonly resolvePublish?: Answers<Resolution>;
}

/** `row` is the container's row. Scripts and tests set what the activities would write. */
export async function containerHarness(t: ExecutionContext, script: Script = {}) {
  await waitForSlot(t);
  const row: { status: ContainerStatus; hasEnded: boolean } = { status: 'creating', hasEnded: false };
  const calls: { readonly name: string; readonly input: unknown }[] = [];

  function scripted<Result extends string | void, Input>(name: string, answers: Answers<Result, Input>) {
    let count = 0;
    return async (input: Input): Promise<Result> => {
      calls.push({ name, input });
      const answer = answers[Math.min(count++, answers.length - 1)]!;
      if (answer instanceof Function) return await answer(input);
      if (typeof answer !== 'object') return answer;
      row.status = answer.row;
      if (answer.answer instanceof Error) throw answer.answer;
      return answer.answer;
    };
  }
  const ends: Readonly<Record<ContainerEndReason, ContainerStatus>> = {
    expired: 'expired',
    cancelled: 'error',
    unresolved: 'unknown',
  };
  const harness = await temporalHarness(t, {
    createPart: scripted('createPart', script.createPart ?? ['accepted']),
    // Also called on a busy machine, where it must return the outcome of the part.
    settleCreate: scripted('settleCreate', script.settleCreate ?? script.createPart ?? ['accepted']),
    checkContainer: scripted('checkContainer', script.checkContainer ?? ['finished']),
    publishOnce: scripted('publishOnce', script.publishOnce ?? ['published']),
    resolvePublish: scripted('resolvePublish', script.resolvePublish ?? ['published']),
    releasePublish: scripted('releasePublish', [() => void (row.status = 'finished')]),
    readStanding: scripted('readStanding', [() => row.status]),
    endContainer: scripted('endContainer', [
      ({ reason }: { reason: ContainerEndReason }) => {
        const isOpen = !row.hasEnded && (row.status === 'publishing') === (reason === 'unresolved');
        if (reason === 'unresolved') row.hasEnded = true;
        if (isOpen && containerMayBecome(row.status, ends[reason])) row.status = ends[reason];
        return row.status;
      },
    ]),
  });

  const start = async (others: Partial<CarryContainerInput> = {}) => {
    row.status = others.status ?? row.status;
    return await harness.start<typeof carryContainer>('carryContainer', {
      args: [{ ...anInput(), status: row.status, ...others }],
      keywords: { [searchAttributes.state]: row.status },
    });
  };
  return {
    ...harness,
    start,
    row,
    calls,
    callsOf: (name: string) => calls.filter((call) => call.name === name),
    startUntil: async (status: ContainerStatus, others: Partial<CarryContainerInput> = {}) => {
      const handle = await start(others);
      await untilStatus(handle, status);
      row.status = status;
      return handle;
    },
  };
}

const MAX_AT_ONCE = 4;
let running = 0;

/** Too many workers delay each other's heartbeats. */
async function waitForSlot(t: ExecutionContext): Promise<void> {
  await eventually(() => running < MAX_AT_ONCE, { deadlineMs: 600_000 });
  running++;
  t.teardown(() => void running--);
}

function anInput(): CarryContainerInput {
  return {
    containerId: 'ctr_00000001',
    childCount: 0,
    autoPublish: false,
    expiresAtMs: Date.now() + DAY_MS,
    pollScheduleMs: [1],
    publishWaits: { unpublishedMs: [1, 1], unreadableMs: [50], retryMs: 20, quotaRetryMs: 20 },
    status: 'creating',
    resumed: false,
  };
}

export async function untilStatus(handle: WorkflowHandle, status: ContainerStatus): Promise<void> {
  await eventually(async () => (await handle.query(containerProgress)).status === status);
}
