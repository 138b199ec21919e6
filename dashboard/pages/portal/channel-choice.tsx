import { SelectField } from '../../kit/forms.tsx';
import { query, setQuery } from '../../routes/router.ts';
import { mustNameChannel, portal } from '../../session/portal.ts';
import { useChannelChoice } from '../channels/use-channels.ts';

/** Returns the channel of the address. A portal that is limited to channels starts with its first one. */
export function chosenChannel(): string | null {
  return query.value.get('channel') ?? portal.value?.channelIds?.[0] ?? null;
}

export function ChannelChoice({ workspaceId }: { readonly workspaceId: string }) {
  const channels = useChannelChoice(workspaceId) ?? [];
  return (
    <SelectField
      label="Channel"
      value={chosenChannel() ?? ''}
      options={[
        ...(mustNameChannel() ? [] : [['', 'All channels'] as const]),
        ...channels.map(({ id, displayName }) => [id, displayName] as const),
      ]}
      onValue={(channel) => setQuery({ channel })}
    />
  );
}
