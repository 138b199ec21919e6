import { useEffect, useState } from 'preact/hooks';
import { Panel } from '../../kit/facts.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { navigate, query } from '../../routes/router.ts';
import { type Channel, useChannelChoice } from '../channels/use-channels.ts';
import { PlanForm } from './plan-form.tsx';
import { type PlaceParams, type ReplayPlace, useReplayPlace } from './replay-place.ts';
import { firstPlan, planProblem, replayBodyOf, type ReplayPlan } from './replay-plan.ts';
import { StartReplay } from './start-replay.tsx';

/** Sends old events again: chosen, then counted, then begun. */
export function Page({ params }: { readonly params: PlaceParams }) {
  const place = useReplayPlace(params);
  const { name, workspaceId } = place;
  return (
    <>
      <PageHeader title="New replay" windowTitle={`New replay in ${name}`}>
        Each event goes once more to a destination, as a new delivery, below live traffic and outside the order of
        conversations.
        {workspaceId === null && ' This one is of all workspaces and customers of the organization.'}
      </PageHeader>
      {workspaceId === null ? (
        <Wizard place={place} channels={null} />
      ) : (
        <WizardOfWorkspace place={place} workspaceId={workspaceId} />
      )}
    </>
  );
}

function WizardOfWorkspace({ place, workspaceId }: { readonly place: ReplayPlace; readonly workspaceId: string }) {
  const channels = useChannelChoice(workspaceId);
  return channels ? <Wizard place={place} channels={channels} /> : <Waiting />;
}

interface WizardProps {
  readonly place: ReplayPlace;
  /** To choose among; null where a replay is of all there are. */
  readonly channels: readonly Channel[] | null;
}

function Wizard({ place, channels }: WizardProps) {
  const [plan, setPlan] = useState(() => firstPlanOf(channels));
  const [matched, setMatched] = useState<number | null>(null);
  useEffect(() => setMatched(null), [plan]); // a count holds for what was counted
  const problem = planProblem(plan);
  const count = useAction(async () => {
    const body = { ...replayBodyOf(plan, place.scope), dryRun: true };
    setMatched((await place.client.post('/replays', { body })).matched);
  });
  return (
    <>
      <Panel title="1. Which events">
        <PlanForm {...{ plan, channels, problem, count }} onPlan={setPlan} isCounted={matched !== null} />
      </Panel>
      {matched !== null && (
        <StartReplay
          key={JSON.stringify(plan)}
          body={replayBodyOf(plan, place.scope)}
          matched={matched}
          client={place.client}
          onStarted={(replayId) => navigate(place.pathOf(`replays/${replayId}`))}
        />
      )}
    </>
  );
}

/** A plan without a choice among channels names none, whatever the address says. */
function firstPlanOf(channels: WizardProps['channels']): ReplayPlan {
  const plan = firstPlan(query.peek(), new Date());
  return channels ? plan : { ...plan, channelId: '', destination: '' };
}
