import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import type { Action } from '../../kit/calls.ts';
import { CheckboxGroup, SelectField, TextField } from '../../kit/forms.tsx';
import { Button, ErrorBox } from '../../kit/parts.tsx';
import { mustNameChannel } from '../../session/portal.ts';
import type { Channel } from '../channels/use-channels.ts';
import { statusLabels } from '../deliveries/delivery-note.ts';
import { useDestinationOptions } from '../destinations/use-destinations.ts';
import type { ReplayPlan } from './replay-plan.ts';

interface PlanFormProps {
  readonly plan: ReplayPlan;
  readonly onPlan: (plan: ReplayPlan) => void;
  readonly channels: readonly Channel[] | null;
  readonly problem: string | null;
  readonly count: Action;
  readonly isCounted: boolean;
}

export function PlanForm({ plan, onPlan, channels, problem, count, isCounted }: PlanFormProps) {
  const bind = <Name extends keyof ReplayPlan>(name: Name) => ({
    value: plan[name],
    onValue: (value: ReplayPlan[Name]) => onPlan({ ...plan, [name]: value }),
  });
  const chosen = plan.channelId.split(',');
  const isOneChannel = plan.channelId !== '' && chosen.length === 1;
  const targets = useDestinationOptions(isOneChannel ? plan.channelId : '');
  const named = channels?.filter(({ id }) => chosen.includes(id)) ?? [];
  const among = named.length > 0 ? named : channels;
  const types = eventTypes.filter((type) => !among || among.some((one) => fitsChannelType(type, one.type)));
  const hasSearch = channels !== null; // a whole organization has none
  return (
    <form
      class="plan"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) count.run();
      }}
    >
      <div class="fields-in-rows">
        {channels && (
          <SelectField
            label="Channel"
            value={plan.channelId}
            options={channelOptions(plan, channels)}
            onValue={(channelId) => onPlan({ ...plan, channelId, destination: '', eventTypes: [] })}
          />
        )}
        <TextField label="From" type="datetime-local" required {...bind('since')} />
        <TextField label="Until" type="datetime-local" required {...bind('until')} />
      </div>
      <CheckboxGroup
        legend="Current status"
        options={deliveryStatuses.map((status) => [status, statusLabels[status]] as const)}
        {...bind('statuses')}
      />
      <CheckboxGroup
        legend="Event types"
        hint="Leave empty to include all types."
        options={types}
        {...bind('eventTypes')}
      />
      <div class="fields-in-rows">
        {hasSearch && <TextField label="Search (ID or text)" {...bind('search')} />}
        <TextField label="HTTP status (5xx, 404, none)" {...bind('httpStatuses')} />
        <TextField label="Sent to (webhook, sub_…, lst_…)" {...bind('originalDestinations')} />
        {hasSearch && <TextField label="Sender" {...bind('sender')} />}
        {hasSearch && <TextField label="Message ID" {...bind('platformMessageId')} />}
      </div>
      <div class="fields-in-rows">
        {isOneChannel && (
          <SelectField
            label="Destination"
            options={[['', 'Original destination of each event'], ...targets]}
            {...bind('destination')}
          />
        )}
        <TextField label="Maximum events per second" type="number" min="1" max="1000" required {...bind('rate')} />
      </div>
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

/** The channels by which the list of deliveries was filtered are one option, if there are several. */
function channelOptions({ channelId }: ReplayPlan, channels: readonly Channel[]): (readonly [string, string])[] {
  const nameOf = (id: string): string => channels.find((one) => one.id === id)?.displayName ?? id;
  const several = channelId.includes(',') ? [[channelId, channelId.split(',').map(nameOf).join(', ')] as const] : [];
  const all = mustNameChannel() ? [] : [['', 'All channels'] as const];
  return [...all, ...several, ...channels.map(({ id, displayName }) => [id, displayName] as const)];
}
