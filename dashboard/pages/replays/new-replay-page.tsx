import { useEffect, useState } from 'preact/hooks';
import type { ApiClient, Schema } from '../../../client/create-client.ts';
import { idempotencyKey, useAction } from '../../kit/calls.ts';
import { formatDuration, formatNumber, pluralize } from '../../kit/format/format.ts';
import { PageHeader } from '../../kit/page.tsx';
import { Button, ErrorBox, Loading, Panel } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { navigate, query } from '../../routes/router.ts';
import { mustNameChannel } from '../../session/portal.ts';
import { type Channel, useChannelChoice } from '../channels/use-channels.ts';
import { PlanForm } from './plan-form.tsx';
import { type ReplayContext, type ReplayContextParams, useReplayContext } from './replay-context.tsx';
import { initialPlan, planProblem, replayBodyOf, type ReplayPlan } from './replay-plan.ts';

export function Page({ params }: { readonly params: ReplayContextParams }) {
  const context = useReplayContext(params);
  const { name, workspaceId } = context;
  return (
    <>
      <PageHeader title="Create replay" windowTitle={`Create replay · ${name}`}>
        Sends each event again as a new delivery, at a lower priority than live traffic and outside conversation order.
        {workspaceId === null && ' This replay covers all workspaces and customers of the organization.'}
      </PageHeader>
      {workspaceId === null ? (
        <Wizard context={context} channels={null} />
      ) : (
        <WorkspaceWizard context={context} workspaceId={workspaceId} />
      )}
    </>
  );
}

function WorkspaceWizard({ context, workspaceId }: { readonly context: ReplayContext; readonly workspaceId: string }) {
  const channels = useChannelChoice(workspaceId);
  return channels ? <Wizard context={context} channels={channels} /> : <Loading />;
}

interface WizardProps {
  readonly context: ReplayContext;
  /** Null if the replay covers a whole organization. */
  readonly channels: readonly Channel[] | null;
}

function Wizard({ context, channels }: WizardProps) {
  const [plan, setPlan] = useState(() => initialPlanFor(channels));
  const [counted, setCounted] = useState<ReplayCount | null>(null);
  useEffect(() => setCounted(null), [plan]); // the count is for the previous plan
  const problem = planProblem(plan);
  const count = useAction(async () => {
    const body = { ...replayBodyOf(plan, context.scope), dryRun: true };
    setCounted(await context.client.post('/replays', { body }));
  });
  return (
    <>
      <Panel title="1. Choose events">
        <PlanForm {...{ plan, channels, problem, count }} onPlan={setPlan} isCounted={counted !== null} />
      </Panel>
      {counted !== null && (
        <StartReplay
          key={JSON.stringify(plan)}
          body={replayBodyOf(plan, context.scope)}
          counted={counted}
          client={context.client}
          onStarted={(replayId) => navigate(context.pathOf(`replays/${replayId}`))}
        />
      )}
    </>
  );
}

function initialPlanFor(channels: WizardProps['channels']): ReplayPlan {
  const plan = initialPlan(query.peek(), new Date());
  if (mustNameChannel() && plan.channelId === '') return { ...plan, channelId: channels?.[0]?.id ?? '' };
  return channels ? plan : { ...plan, channelId: '', sender: '', platformMessageId: '', search: '' };
}

type ReplayCount = Pick<Schema<'ReplayStarted'>, 'matched' | 'isCountComplete'>;

interface StartReplayProps {
  readonly body: ReturnType<typeof replayBodyOf>;
  readonly counted: ReplayCount;
  readonly client: ApiClient;
  readonly onStarted: (replayId: string) => void;
}

function StartReplay({ body, counted: { matched, isCountComplete }, client, onStarted }: StartReplayProps) {
  const [key] = useState(idempotencyKey);
  const start = useAction(async () => {
    const params = { header: { 'Idempotency-Key': key } };
    const { replayId } = await client.post('/replays', { params, body });
    toast('Replay started.');
    if (replayId !== null) onStarted(replayId);
  });
  const isNothing = matched === 0 && isCountComplete;
  const events = isCountComplete ? pluralize(matched, 'event') : `at least ${pluralize(matched, 'event')}`;
  const durationAtRate = formatDuration((matched / body.ratePerSecond) * 1_000);
  return (
    <Panel title="2. Start replay">
      <p role="status">
        {isNothing
          ? 'No matching events. Change the filters and count again.'
          : `${events} would be sent in ${durationAtRate} at ${formatNumber(body.ratePerSecond)} per second.`}
      </p>
      <ErrorBox error={start.error} />
      <Button tone="primary" busy={start.isBusy} disabled={isNothing} onClick={() => start.run()}>
        {isNothing ? 'Start replay' : `Replay ${events}`}
      </Button>
    </Panel>
  );
}
