import { Badge } from '../../kit/badge.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { type Column, Table } from '../../kit/lists/table.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { FindingView } from '../destinations/finding-view.tsx';
import { channelFindings, latestOf, waitingCount } from '../destinations/health-findings.ts';
import { healthTones } from './health-panel.tsx';
import { type AccountHealth, useAccountHealth } from './use-account-health.ts';
import { type ChannelHealthState, useChannelHealth } from './use-channel-health.ts';
import type { Channel } from './use-channels.ts';

interface ChannelTableProps {
  readonly channels: readonly Channel[];
  readonly workspaceId: string;
  readonly isBusy?: boolean;
}

export function ChannelTable({ channels, workspaceId, isBusy = false }: ChannelTableProps) {
  const { organizationId } = useOrganization();
  const health = useChannelHealth(channels);
  const accounts = useAccountHealth(workspaceId, channels);
  const columns: readonly Column<Channel>[] = [
    {
      head: 'Channel',
      cell: ({ id, displayName, type }) => (
        <>
          <a href={workspacePath(organizationId, workspaceId, `channels/${id}`)}>{displayName}</a> <Badge>{type}</Badge>{' '}
          <AccountMark health={accounts.get(id)} />
        </>
      ),
    },
    { head: 'Status', isWide: true, cell: (channel) => <Status channel={channel} health={health.get(channel.id)} /> },
    { head: 'Waiting', align: 'end', cell: ({ id }) => <Waiting health={health.get(id)} /> },
    { head: 'Last delivered', cell: ({ id }) => <Latest health={health.get(id)} of="lastDeliveredAt" /> },
    { head: 'Last failure', cell: ({ id }) => <Latest health={health.get(id)} of="lastFailureAt" /> },
  ];
  return <Table caption="Channels" columns={columns} rows={channels} keyOf={({ id }) => id} isBusy={isBusy} />;
}

/** Disconnected channels and refused credentials are in the status of the channel. */
function AccountMark({ health }: { readonly health: AccountHealth | undefined }) {
  const reasons = health?.reasons.filter(({ code }) => code !== 'disconnected' && code !== 'credential_refused') ?? [];
  if (!health || reasons.length === 0) return null;
  return <Badge tone={healthTones[health.status]}>account {health.status}</Badge>;
}

interface HealthProps {
  readonly health: ChannelHealthState | undefined;
}

function Status({ channel, health }: HealthProps & { readonly channel: Channel }) {
  if (health instanceof Error) return <span class="soft">{health.message}</span>;
  if (!health && channel.connected && channel.forwardingEnabled) return <span class="soft">…</span>;
  const [first, ...others] = channelFindings({ channel, destinations: health ?? [], now: new Date() });
  const serious = others.filter(({ tone }) => tone === 'bad' || tone === 'warn');
  return (
    <div class="findings">
      {first && <FindingView finding={first} />}
      {serious.map((finding) => (
        <FindingView key={finding.detail} finding={finding} />
      ))}
    </div>
  );
}

function Waiting({ health }: HealthProps) {
  if (!health || health instanceof Error) return null;
  return <>{formatNumber(health.reduce((sum, destination) => sum + waitingCount(destination), 0))}</>;
}

function Latest({ health, of }: HealthProps & { readonly of: 'lastDeliveredAt' | 'lastFailureAt' }) {
  if (!health || health instanceof Error) return null;
  const at = latestOf(health.map((destination) => destination[of]));
  return at === null ? <span class="soft">never</span> : <RelativeTime at={at} />;
}
