import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { Button } from '../../kit/button.tsx';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import type { Action } from '../../kit/calls/use-action.ts';
import { mustNameChannel } from '../../session/portal.ts';
import type { Channel } from '../channels/use-channels.ts';
import { statusLabels } from '../deliveries/delivery-note.ts';
import { useDestinationOptions } from '../deliveries/filters/use-destination-options.ts';
import type { ReplayPlan } from './replay-plan.ts';

interface PlanFieldsProps {
  readonly plan: ReplayPlan;
  readonly onPlan: (plan: ReplayPlan) => void;
  readonly channels: readonly Channel[] | null;
}

interface PlanFormProps extends PlanFieldsProps {
  readonly problem: string | null;
  readonly count: Action<[]>;
  readonly isCounted: boolean;
}

export function PlanForm({ problem, count, isCounted, ...fields }: PlanFormProps) {
  return (
    <form
      class="plan"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) void count.run();
      }}
    >
      <ScopeFields {...fields} />
      <EventFields {...fields} />
      <TargetFields {...fields} />
      <ErrorBox error={count.error} />
      {problem !== null && (
        <p class="notice" role="status">
          {problem}
        </p>
      )}
      <div class="form-actions">
        <Button type="submit" tone={isCounted ? 'plain' : 'primary'} busy={count.isBusy} disabled={problem !== null}>
          Count events (dry run)
        </Button>
      </div>
    </form>
  );
}

function ScopeFields({ plan, onPlan, channels }: PlanFieldsProps) {
  const set = (changes: Partial<ReplayPlan>) => onPlan({ ...plan, ...changes });
  return (
    <div class="fields-in-rows">
      {channels && (
        <SelectField
          label="Channel"
          value={plan.channelId}
          options={[
            ...(mustNameChannel() ? [] : [['', 'All channels'] as const]),
            ...severalOf(plan, channels),
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

/** The channels by which the list of deliveries was filtered, if there are several. */
function severalOf({ channelId }: ReplayPlan, channels: readonly Channel[]): (readonly [string, string])[] {
  if (!channelId.includes(',')) return [];
  const names = channelId.split(',').map((one) => channels.find(({ id }) => id === one)?.displayName ?? one);
  return [[channelId, names.join(', ')]];
}

function EventFields({ plan, onPlan, channels }: PlanFieldsProps) {
  const chosen = channels?.filter(({ id }) => plan.channelId.split(',').includes(id)) ?? [];
  const among = chosen.length > 0 ? chosen : channels;
  const types = eventTypes.filter((type) => !among || among.some((one) => fitsChannelType(type, one.type)));
  return (
    <>
      <CheckboxGroup
        legend="Current status"
        options={deliveryStatuses.map((status) => [status, statusLabels[status]])}
        values={plan.statuses}
        onValues={(statuses) => onPlan({ ...plan, statuses })}
      />
      <CheckboxGroup
        legend="Event types"
        hint="Leave empty to include all types."
        options={types.map((type) => [type, type])}
        values={plan.eventTypes}
        onValues={(values) => onPlan({ ...plan, eventTypes: values })}
      />
      <FilterFields {...{ plan, onPlan }} hasSearch={channels !== null} />
    </>
  );
}

interface FilterFieldsProps extends Pick<PlanFieldsProps, 'plan' | 'onPlan'> {
  /** A whole organization has no search. */
  readonly hasSearch: boolean;
}

function FilterFields({ plan, onPlan, hasSearch }: FilterFieldsProps) {
  const field = (label: string, name: FilterField) => (
    <TextField label={label} value={plan[name]} onValue={(value) => onPlan({ ...plan, [name]: value })} />
  );
  return (
    <div class="fields-in-rows">
      {hasSearch && field('Search (ID or text)', 'search')}
      {field('HTTP status (5xx, 404, none)', 'httpStatuses')}
      {field('Sent to (webhook, sub_…, lst_…)', 'originalDestinations')}
      {hasSearch && field('Sender', 'sender')}
      {hasSearch && field('Message ID', 'platformMessageId')}
    </div>
  );
}

type FilterField = 'search' | 'httpStatuses' | 'originalDestinations' | 'sender' | 'platformMessageId';

function TargetFields({ plan, onPlan }: PlanFieldsProps) {
  const isOneChannel = plan.channelId !== '' && !plan.channelId.includes(',');
  const targets = useDestinationOptions(isOneChannel ? plan.channelId : '');
  return (
    <div class="fields-in-rows">
      {isOneChannel && (
        <SelectField
          label="Destination"
          value={plan.destination}
          options={[['', 'Original destination of each event'], ...targets]}
          onValue={(destination) => onPlan({ ...plan, destination })}
        />
      )}
      <TextField
        label="Maximum events per second"
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
