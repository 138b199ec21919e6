import { useQueries } from '@tanstack/preact-query';
import type { Schema } from '../../../client/create-client.ts';
import { queries, useLoad } from '../../kit/calls.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { type Column, Table } from '../../kit/lists.tsx';
import { Badge, RelativeTime } from '../../kit/parts.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { FindingBadge } from '../destinations/finding-view.tsx';
import { channelFindings, latestOf, waitingCount } from '../destinations/health-findings.ts';
import { type DestinationHealth, loadDestinations } from '../destinations/use-destinations.ts';
import { healthTones } from './health-panel.tsx';
import type { Channel } from './use-channels.ts';

type AccountHealth = Schema<'AccountHealth'>;

interface ChannelTableProps {
  readonly channels: readonly Channel[];
  readonly workspaceId: string;
  readonly isBusy?: boolean;
}

export function ChannelTable({ channels, workspaceId: ws, isBusy = false }: ChannelTableProps) {
  const { organizationId } = useOrganization();
  const health = useChannelHealth(channels);
  const last = channels.at(-1)?.id;
  const { value: accounts } = useLoad(['account-health', ws, last], () => readAccountHealth(ws, last));
  const columns: readonly Column<Channel>[] = [
    {
      head: 'Channel',
      cell: ({ id, displayName, type }) => (
        <>
          <a href={workspacePath(organizationId, ws, `channels/${id}`)}>{displayName}</a> <Badge>{type}</Badge>{' '}
          <AccountMark health={accounts?.get(id)} />
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

const PAGE_SIZE = 100;
/** Further channels have no mark. */
const MAX_PAGES = 10;

/** Both lists begin with the newest channel, so reading ends at the last one shown. */
async function readAccountHealth(ws: string, last: string | undefined): Promise<ReadonlyMap<string, AccountHealth>> {
  const found = new Map<string, AccountHealth>();
  let cursor: string | null = null;
  for (let page = 0; last !== undefined && !found.has(last) && page < MAX_PAGES; page++) {
    const query: { limit: number; cursor?: string } = { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) };
    const { channels, nextCursor } = await api.get('/workspaces/{ws}/channel-health', {
      params: { path: { ws }, query },
    });
    for (const health of channels) found.set(health.channelId, health);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  return found;
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
  if (!health && channel.connected && channel.forwardingEnabled) return <Pending />;
  const [first, ...others] = channelFindings({ channel, destinations: health ?? [], now: new Date() });
  const serious = others.filter(({ tone }) => tone === 'bad' || tone === 'warn');
  return (
    <div class="findings">
      {first && <FindingBadge finding={first} />}
      {serious.map((finding) => (
        <FindingBadge key={`${finding.subject} ${finding.title}`} finding={finding} />
      ))}
    </div>
  );
}

/** Holds the place of a value that loads. */
function Pending() {
  return <span class="soft">…</span>;
}

function Waiting({ health }: HealthProps) {
  if (!health) return <Pending />;
  if (health instanceof Error) return null;
  return <>{formatNumber(health.reduce((sum, destination) => sum + waitingCount(destination), 0))}</>;
}

function Latest({ health, of }: HealthProps & { readonly of: 'lastDeliveredAt' | 'lastFailureAt' }) {
  if (!health) return <Pending />;
  if (health instanceof Error) return null;
  const at = latestOf(health.map((destination) => destination[of]));
  return at === null ? <span class="soft">never</span> : <RelativeTime at={at} />;
}

type ChannelHealthState = readonly DestinationHealth[] | Error;

const REFRESH_MS = 30_000;
/** Refreshing makes one request per channel, so longer lists are loaded only once. */
const MAX_REFRESHED = 20;

/** Channels that are still loading are missing from the map. */
function useChannelHealth(channels: readonly Channel[]): ReadonlyMap<string, ChannelHealthState> {
  const refetchInterval = channels.length <= MAX_REFRESHED ? REFRESH_MS : (false as const);
  const results = useQueries(
    {
      queries: channels.map(({ id: ch }) => ({
        queryKey: ['destinations', ch],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => inTurn(signal, () => loadDestinations(ch)),
        refetchInterval,
        refetchOnWindowFocus: false,
      })),
    },
    queries,
  );
  const known = channels.flatMap(({ id }, index) => {
    const state = results[index]?.error ?? results[index]?.data;
    return state ? [[id, state] as const] : [];
  });
  return new Map(known);
}

/** Browsers open at most six connections to the service. This leaves some for other requests. */
const MAX_CONCURRENT_REQUESTS = 3;
let runningCount = 0;
const waiting: (() => void)[] = [];

async function inTurn<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
  if (runningCount >= MAX_CONCURRENT_REQUESTS) await new Promise<void>((resolve) => waiting.push(resolve));
  else runningCount++;
  try {
    signal.throwIfAborted();
    return await call();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else runningCount--;
  }
}
