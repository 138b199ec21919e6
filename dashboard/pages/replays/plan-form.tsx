import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { Button } from '../../kit/button.tsx';
import { CheckGroup } from '../../kit/forms/check-group.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import type { Action } from '../../kit/calls/use-action.ts';
import type { Channel } from '../channels/use-channels.ts';
import { statusWords } from '../deliveries/delivery-note.ts';
import { useTargets } from '../deliveries/use-targets.ts';
import type { ReplayPlan } from './replay-plan.ts';

interface PlanFieldsProps {
  readonly plan: ReplayPlan;
  readonly onPlan: (plan: ReplayPlan) => void;
  /** To choose among; null where a replay is of all there are. */
  readonly channels: readonly Channel[] | null;
}

interface PlanFormProps extends PlanFieldsProps {
  /** Why the plan can't be counted as it is; null where it can. */
  readonly problem: string | null;
  readonly count: Action<[]>;
  readonly isCounted: boolean;
}

/** Which events a replay is of, where they go and how fast. */
export function PlanForm({ problem, count, isCounted, ...fields }: PlanFormProps) {
  return (
    <form
      class="plan"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) void count.run();
      }}
    >
      <WhereAndWhen {...fields} />
      <WhichOnes {...fields} />
      <HowFast {...fields} />
      <ErrorBox error={count.error} />
      {problem !== null && (
        <p class="notice" role="status">
          {problem}
        </p>
      )}
      <div class="form-actions">
        <Button type="submit" tone={isCounted ? 'plain' : 'primary'} busy={count.isBusy} disabled={problem !== null}>
          Count (dry run)
        </Button>
      </div>
    </form>
  );
}

function WhereAndWhen({ plan, onPlan, channels }: PlanFieldsProps) {
  const set = (changes: Partial<ReplayPlan>) => onPlan({ ...plan, ...changes });
  return (
    <div class="fields-in-rows">
      {channels && (
        <SelectField
          label="Channel"
          value={plan.channelId}
          options={[
            ['', 'All channels of the workspace'],
            ...channels.map(({ id, displayName }) => [id, displayName] as const),
          ]}
          onValue={(channelId) => set({ channelId, destination: '', eventTypes: [] })}
        />
      )}
      <TextField label="From" type="datetime-local" required value={plan.since} onValue={(since) => set({ since })} />
      <TextField label="Until" type="datetime-local" required value={plan.until} onValue={(until) => set({ until })} />
    </div>
  );
}

function WhichOnes({ plan, onPlan, channels }: PlanFieldsProps) {
  const channel = channels?.find(({ id }) => id === plan.channelId);
  const among = channel ? [channel] : channels;
  const types = eventTypes.filter((type) => !among || among.some((one) => fitsChannelType(type, one.type)));
  return (
    <>
      <CheckGroup
        legend="That are now"
        options={deliveryStatuses.map((status) => [status, statusWords[status]])}
        values={plan.statuses}
        onValues={(statuses) => onPlan({ ...plan, statuses })}
      />
      <CheckGroup
        legend="Event types"
        hint="All of them where none is chosen."
        options={types.map((type) => [type, type])}
        values={plan.eventTypes}
        onValues={(chosen) => onPlan({ ...plan, eventTypes: chosen })}
      />
    </>
  );
}

function HowFast({ plan, onPlan }: PlanFieldsProps) {
  const targets = useTargets(plan.channelId);
  return (
    <div class="fields-in-rows">
      {plan.channelId !== '' && (
        <SelectField
          label="To"
          value={plan.destination}
          options={[['', 'Where each went before'], ...targets]}
          onValue={(destination) => onPlan({ ...plan, destination })}
        />
      )}
      <TextField
        label="Events a second, at most"
        type="number"
        min="1"
        max="1000"
        required
        value={plan.rate}
        onValue={(rate) => onPlan({ ...plan, rate })}
      />
    </div>
  );
}
