import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { formatDuration } from '../../kit/format/format.ts';
import { type Column, List } from '../../kit/lists.tsx';
import { Badge, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import type { PageProps } from '../../routes/route.ts';
import { api } from '../../session/api.ts';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import { WorkflowLink } from '../deliveries/delivery-details.tsx';

type OutboundCall = Schema<'OutboundCall'>;

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/calls'>) {
  return (
    <ChannelLayout params={params} about="Outbound calls">
      {() => <Calls ch={params.ch} />}
    </ChannelLayout>
  );
}

function Calls({ ch }: { readonly ch: string }) {
  const pages = usePages(['outboundCalls', ch], (query) =>
    api.get('/channels/{ch}/outbound-calls', { params: { path: { ch }, query } }),
  );
  return (
    <List
      pages={pages}
      caption="Outbound calls"
      columns={columns}
      keyOf={({ requestId, startedAt, path }) => `${startedAt} ${requestId} ${path}`}
      one="call"
      empty={
        <EmptyState title="No outbound calls yet" command={`channels outbound-calls ${ch}`}>
          Lists every call to the platform, made with the channel token through the gateway, by an API operation, or by
          a workflow.
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
  { head: 'Response', cell: (call) => <Response call={call} /> },
  {
    head: 'Duration',
    align: 'end',
    cell: ({ durationMs }) => <span class="nowrap">{formatDuration(durationMs)}</span>,
  },
  { head: 'Time', cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
  {
    head: 'Caller',
    cell: ({ via, caller }) => (
      <span>
        {via} {via === 'workflow' ? <WorkflowLink workflowId={caller} /> : <code>{caller}</code>}
      </span>
    ),
  },
  {
    head: 'Made for',
    cell: ({ requestId, callerRequestId }) => (
      <span>
        <code>{requestId}</code>{' '}
        {callerRequestId !== null && <span title="The caller's own id">{callerRequestId}</span>}
      </span>
    ),
  },
];

function Response({ call: { status, error } }: { readonly call: OutboundCall }) {
  const isGood = status !== null && status < 400;
  return (
    <>
      <Badge tone={isGood ? 'good' : 'bad'}>{status === null ? 'no response' : String(status)}</Badge> {error}
    </>
  );
}
