import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { durationText } from '../../kit/texts/duration-text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { List } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import type { PageProps } from '../../routes/route.ts';
import { ChannelFrame } from '../channels/channel-frame.tsx';

type OutboundCall = Schema<'OutboundCall'>;

/** What went to the platform on behalf of a channel. */
export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/calls'>) {
  return (
    <ChannelFrame params={params} about="Outbound calls">
      {() => <Calls channelId={params.ch} />}
    </ChannelFrame>
  );
}

function Calls({ channelId }: { readonly channelId: string }) {
  const pages = usePages(
    async (cursor) => {
      const params = { path: { ch: channelId }, query: { ...(cursor !== undefined && { cursor }) } };
      const { outboundCalls, nextCursor } = await api.get('/channels/{ch}/outbound-calls', { params });
      return { items: outboundCalls, nextCursor };
    },
    [channelId],
  );
  return (
    <List
      pages={pages}
      caption="Outbound calls"
      columns={columns}
      keyOf={({ requestId, startedAt, path }) => `${startedAt} ${requestId} ${path}`}
      one="call"
      many="calls"
      empty={
        <EmptyState title="No call yet" command={`channels outbound-calls ${channelId}`}>
          Every call to the platform is noted here: by the channel's token at the gateway, by an operation of the API,
          or by a workflow.
        </EmptyState>
      }
    />
  );
}

const columns: readonly Column<OutboundCall>[] = [
  {
    head: 'Call',
    isWide: true,
    cell: ({ method, path, operation }) => (
      <>
        <code>{`${method} ${path}`}</code> {operation && <span class="soft">{operation}</span>}
      </>
    ),
  },
  { head: 'Answer', cell: (call) => <Answer call={call} /> },
  { head: 'Took', align: 'end', cell: ({ durationMs }) => <span class="nowrap">{durationText(durationMs)}</span> },
  { head: 'When', cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
  {
    head: 'By',
    cell: ({ via, caller }) => (
      <>
        {via} <code>{caller}</code>
      </>
    ),
  },
  { head: 'Request', cell: ({ requestId }) => <code>{requestId}</code> },
];

function Answer({ call: { status, error } }: { readonly call: OutboundCall }) {
  const isGood = status !== null && status < 400;
  return (
    <>
      <Badge tone={isGood ? 'good' : 'bad'}>{status === null ? 'no answer' : String(status)}</Badge> {error}
    </>
  );
}
