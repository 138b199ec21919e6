import {
  condition,
  defineSignal,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
} from '@temporalio/workflow';

/** Waits for a short time, and with the patch for another one. */
export async function patchedWorkflow(): Promise<'old' | 'new'> {
  const isNew = patched('test-patch');
  await sleep(isNew ? '20ms' : '10ms', { summary: 'wait' });
  if (isNew) await sleep('5ms');
  return isNew ? 'new' : 'old';
}

/** Makes other commands than the product's workflow of this name. */
export async function deliverWebhook(): Promise<void> {
  await sleep('10ms');
  await sleep('1h');
}

/** Stays on the build that started it until it is signalled. */
export async function pinnedRun(): Promise<'ended'> {
  let mayEnd = false;
  setHandler(defineSignal('end'), () => {
    mayEnd = true;
  });
  await condition(() => mayEnd);
  return 'ended';
}
setWorkflowOptions({ versioningBehavior: 'PINNED' }, pinnedRun);

const { refuse, stumble } = proxyActivities<Record<'refuse' | 'stumble', () => Promise<string>>>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1ms', maximumInterval: '1ms' },
});

/** Calls activities that are tried without a limit. */
export async function stubbornRun(): Promise<readonly string[]> {
  setCurrentDetails('Working.');
  return [await stumble(), await refuse()];
}
