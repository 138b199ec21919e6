import { useEffect, useState } from 'preact/hooks';
import { Panel } from '../../kit/panel.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { navigate, query } from '../../routes/router.ts';
import { mustNameChannel } from '../../session/portal.ts';
import { type Channel, useChannelChoice } from '../channels/use-channels.ts';
import { PlanForm } from './plan-form.tsx';
import { type ReplayContextParams, type ReplayContext, useReplayContext } from './replay-context.ts';
import { initialPlan, planProblem, replayBodyOf, type ReplayPlan } from './replay-plan.ts';
import { type ReplayCount, StartReplay } from './start-replay.tsx';

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
