import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button, type CreateTone } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';
import { CreateLinkDialog } from './create-link-dialog.tsx';
import { EditLinkDialog, type LinkDialogProps, RegenerateLinkDialog, RevokeLinkDialog } from './link-dialogs.tsx';

type Link = Schema<'OnboardingLink'>;
type Act = 'edit' | 'regenerate' | 'revoke';
type OpenDialog = { readonly act: 'create' } | { readonly act: Act; readonly link: Link };

export function Page() {
  const { organizationId: org } = useOrganization();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const pages = useLinks(org);
  const create = (tone: CreateTone) => (
    <Button tone={tone} onClick={() => setOpen({ act: 'create' })}>
      <Icon name="plus" /> Create link
    </Button>
  );
  return (
    <>
      <PageHeader title="Onboarding links" actions={create('primary')}>
        Anyone who opens a link can connect their own account. Links can be limited to a number of uses and a time.
      </PageHeader>
      <List
        pages={pages}
        caption="Onboarding links"
        columns={[...columns(org), actionColumn((act, link) => setOpen({ act, link }))]}
        keyOf={({ onboardingLinkId }) => onboardingLinkId}
        one="link"
        many="links"
        empty={
          <EmptyState
            title="No onboarding links yet"
            action={create('plain')}
            command={`curl ${location.origin}/organizations/${org}/onboarding-links \\
  -H "Authorization: Bearer $CHANNELS_API_KEY" -H "Content-Type: application/json" \\
  -d '{"label": "Spring campaign", "channelType": "chatapp"}'`}
          >
            Create a link and send it to a customer. The channel is connected once they give permission at the platform.
          </EmptyState>
        }
      />
      {open && <OpenedDialog open={open} org={org} onChanged={pages.reload} onClose={() => setOpen(null)} />}
    </>
  );
}

function OpenedDialog({ open, ...dialog }: LinkDialogProps & { readonly open: OpenDialog }) {
  switch (open.act) {
    case 'create':
      return <CreateLinkDialog {...dialog} />;
    case 'edit':
      return <EditLinkDialog link={open.link} {...dialog} />;
    case 'regenerate':
      return <RegenerateLinkDialog link={open.link} {...dialog} />;
    case 'revoke':
      return <RevokeLinkDialog link={open.link} {...dialog} />;
  }
}

function useLinks(org: string) {
  return usePages(
    async (cursor) => {
      const params = { path: { org }, query: { ...(cursor !== undefined && { cursor }) } };
      const { onboardingLinks, nextCursor } = await api.get('/organizations/{org}/onboarding-links', { params });
      return { items: onboardingLinks, nextCursor };
    },
    [org],
  );
}

const columns = (org: string): readonly Column<Link>[] => [
  { head: 'Label', isWide: true, cell: ({ label }) => label },
  { head: 'Type', cell: ({ channelType }) => channelType },
  {
    head: 'Workspace',
    cell: ({ workspaceId }) =>
      workspaceId ? <WorkspaceLink org={org} id={workspaceId} /> : <span class="soft nowrap">new customer</span>,
  },
  {
    head: 'Status',
    cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'neutral'}>{status.replace('_', ' ')}</Badge>,
  },
  {
    head: 'Uses',
    cell: ({ useCount, maxUses }) => (
      <span class="nowrap">{maxUses === null ? useCount : `${useCount} of ${maxUses}`}</span>
    ),
  },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const actionColumn = (act: (act: Act, link: Link) => void): Column<Link> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: (link) => {
    const { url, label } = link;
    if (url === null) return null;
    const button = (name: Act, words: string) => (
      <Button small tone="quiet" aria-label={`${words} ${label}`} onClick={() => act(name, link)}>
        {words}
      </Button>
    );
    return (
      <div class="actions">
        <CopyButton text={url} what={`link ${label}`} />
        {button('edit', 'Edit')}
        {button('regenerate', 'Regenerate')}
        {button('revoke', 'Revoke')}
      </div>
    );
  },
});
