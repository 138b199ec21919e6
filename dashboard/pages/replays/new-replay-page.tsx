import { useEffect, useState } from 'preact/hooks';
import { Panel } from '../../kit/facts.tsx';
import { Waiting } from '../../kit/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useAction } from '../../kit/use-action.ts';
import { apiIn } from '../../shell/api.ts';
import { useOrganization, useWorkspace } from '../../shell/page-outlet.tsx';
import { workspacePath } from '../../shell/paths.ts';
import { navigate, query } from '../../shell/router.ts';
import { type Channel, useChannelChoice } from '../channels/use-channels.ts';
import { PlanForm } from './plan-form.tsx';
import { firstPlan, planProblem, replayBodyOf } from './replay-plan.ts';
import { StartReplay } from './start-replay.tsx';

/** Sends old events again: chosen, then counted, then begun. */
export function Page() {
  const { id, name } = useWorkspace();
  const channels = useChannelChoice(id);
  return (
    <>
      <PageHeader title="New replay" windowTitle={`New replay in ${name}`}>
        Each event goes once more to a destination, as a new delivery, below live traffic and outside the order of
        conversations.
      </PageHeader>
      {channels ? <Wizard channels={channels} workspaceId={id} /> : <Waiting />}
    </>
  );
}

interface WizardProps {
  readonly channels: readonly Channel[];
  readonly workspaceId: string;
}

function Wizard({ channels, workspaceId }: WizardProps) {
  const { organizationId } = useOrganization();
  const [plan, setPlan] = useState(() => firstPlan(query.peek(), new Date()));
  const [matched, setMatched] = useState<number | null>(null);
  useEffect(() => setMatched(null), [plan]); // a count holds for what was counted
  const problem = planProblem(plan);
  const count = useAction(async () => {
    const body = { ...replayBodyOf(plan, workspaceId), dryRun: true };
    setMatched((await apiIn(workspaceId).post('/replays', { body })).matched);
  });
  return (
    <>
      <Panel title="1. Which events">
        <PlanForm {...{ plan, channels, problem, count }} onPlan={setPlan} isCounted={matched !== null} />
      </Panel>
      {matched !== null && (
        <StartReplay
          key={JSON.stringify(plan)}
          body={replayBodyOf(plan, workspaceId)}
          matched={matched}
          workspaceId={workspaceId}
          onStarted={(replayId) => navigate(workspacePath(organizationId, workspaceId, `replays/${replayId}`))}
        />
      )}
    </>
  );
}
