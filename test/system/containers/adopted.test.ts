import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { containerWorkflowId } from '../../../contract/ids.ts';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { insertContainer } from '../../../db/containers/containers.ts';
import type { MediaControlInput } from '../../../simulator/media/control.ts';
import { carousel, image, type PhotoAccount, photoAccount, reel } from '../../harness/system/photo-account.ts';
import { type SharedSystem, sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';
import { viewWorkflow } from '../../harness/system/workflow-view.ts';

type Fault = NonNullable<MediaControlInput['faults']>[number];

/** The state of a container when an operator ends its workflow. */
interface Phase {
  readonly in: string;
  readonly body: object;
  readonly fault?: Fault;
  readonly isPublishing?: boolean;
  readonly isReached: (account: PhotoAccount, containerId: string) => boolean | Promise<boolean>;
  /** The container's status after its workflow was terminated or cancelled. */
  readonly terminated: string;
  readonly cancelled: string | readonly string[];
  readonly creates: number;
}

const HELD_MS = 60_000;
const isHeld = (at: Fault['at']) => (account: PhotoAccount) =>
  account.calls(at).some(({ outcome }) => outcome === 'pending');
const isPolled = (account: PhotoAccount): boolean => account.calls('status').length > 0;
const isFinished: Phase['isReached'] = async (account, containerId) =>
  (await account.get(containerId)).status === 'finished';

const phases: readonly Phase[] = [
  {
    // A cancellation aborts the call that is in flight, so its lost answer may be recorded first.
    in: 'creating',
    body: image,
    creates: 1,
    terminated: 'unknown',
    cancelled: ['error', 'unknown'],
    fault: { at: 'create', lost: 'after', delayMs: HELD_MS },
    isReached: isHeld('create'),
  },
  { in: 'children', body: slow(carousel), creates: 4, terminated: 'finished', cancelled: 'error', isReached: isPolled },
  { in: 'in_progress', body: reel, creates: 1, terminated: 'finished', cancelled: 'error', isReached: isPolled },
  { in: 'finished', body: image, creates: 1, terminated: 'finished', cancelled: 'error', isReached: isFinished },
  {
    // A cancellation must not hide a published post.
    in: 'publishing',
    body: image,
    creates: 1,
    terminated: 'published',
    cancelled: 'published',
    fault: { at: 'publish', lost: 'after', delayMs: HELD_MS },
    isPublishing: true,
    isReached: isHeld('publish'),
  },
];

test('terminated container workflows are adopted, cancelled ones end, nothing is duplicated', async (t) => {
  t.timeout(900_000);
  const system = await sharedSystem(t);
  const each = phases.flatMap((phase) => [
    { phase, action: 'terminate' as const },
    { phase, action: 'cancel' as const },
  ]);
  const subjects = await Promise.all(each.map(async (one) => ({ ...one, account: await photoAccount(system) })));
  for (const { phase, account } of subjects)
    if (phase.fault) system.platform.failMedia(account.resourceId, [phase.fault]);
  await Promise.all([
    ...subjects.map((subject) => interfere(t, { ...subject, system })),
    neverStarted(t, system),
    sentAndLeft(t, system),
  ]);
});

interface Subject {
  readonly phase: Phase;
  readonly action: 'terminate' | 'cancel';
  readonly account: PhotoAccount;
  readonly system: SharedSystem;
}

async function interfere(t: ExecutionContext, { phase, action, account, system }: Subject): Promise<void> {
  const of = `${action} while ${phase.in}`;
  const inFlight: Promise<unknown>[] = [account.create(phase.body)];
  const containerId = await account.containerId();
  if (phase.isPublishing) {
    await account.reaches(containerId, 'finished');
    inFlight.push(account.publish(containerId));
  }
  await until(() => phase.isReached(account, containerId), { for: of });
  const handle = system.temporal.workflow.getHandle(containerWorkflowId(containerId));
  const { runId } = await handle.describe();
  if (action === 'terminate') {
    await handle.terminate('stepping in');
    await until(async () => (await handle.describe()).runId !== runId, { for: `The adoption, ${of}` });
  } else {
    await handle.cancel();
  }
  const expected = action === 'terminate' ? phase.terminated : phase.cancelled;
  const end = await account.reaches(containerId, expected);
  if (end.status === 'error') t.regex(end.statusDetail, /its workflow was cancelled/, of);
  await Promise.all(inFlight);

  if (end.status === 'finished') {
    const { status } = await account.publishUntilDecided(containerId);
    t.is(status, 200, of);
  }
  const isOut = ['finished', 'published'].includes(end.status);
  t.is(account.posts().length, isOut ? 1 : 0, `${of}: posts`);
  t.is(account.calls('publish').length, isOut ? 1 : 0, `${of}: publishes`);
  const creates = account.calls('create').length;
  if (action === 'terminate') t.is(creates, phase.creates, `${of}: creates`);
  else t.true(creates <= phase.creates, `${of}: creates`);
}

async function neverStarted(t: ExecutionContext, system: SharedSystem): Promise<void> {
  const account = await photoAccount(system);
  const containerId = await storeOverdue(system, account);
  const container = await account.reaches(containerId, 'error');
  t.regex(container.statusDetail, /not sent/);
  t.is(account.calls('create').length, 0);
  await runEnds(t, system, containerId);
}

async function sentAndLeft(t: ExecutionContext, system: SharedSystem): Promise<void> {
  const account = await photoAccount(system);
  const containerId = await storeOverdue(system, account, { sent: true });
  const container = await account.reaches(containerId, 'unknown');
  t.regex(container.statusDetail, /answer was lost/);
  t.is(account.calls('create').length, 0);
}

/** Stores a container without a workflow, like an API that dies after the commit. */
async function storeOverdue(
  { db, tenant }: SharedSystem,
  account: PhotoAccount,
  { sent = false }: { readonly sent?: boolean } = {},
): Promise<string> {
  const longAgo = new Date(Date.now() - 120_000);
  return await db.transaction(async (trx) => {
    const { container } = await insertContainer(trx, {
      channelId: account.id,
      workspaceId: tenant.workspace.id,
      request: containerInput.parse(image),
      requestHash: randomBytes(32),
      idempotency: null,
    });
    await trx('media_containers').where({ id: container.id }).update({ create_by: longAgo, next_check_at: longAgo });
    if (sent) await trx('container_parts').where({ container_id: container.id }).update({ sent_at: longAgo });
    return container.publicId;
  });
}

async function runEnds(t: ExecutionContext, { temporal }: SharedSystem, containerId: string): Promise<void> {
  const view = await until(
    async () => {
      const seen = await viewWorkflow(temporal, containerWorkflowId(containerId));
      return seen.status === 'COMPLETED' && seen;
    },
    { for: 'The end of the run' },
  );
  t.is(view.searchAttributes['ServiceState'], 'error');
}

function slow(body: typeof carousel) {
  return { ...body, children: [...body.children, { videoUrl: reel.videoUrl }] };
}
