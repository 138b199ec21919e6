import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { SecretDialog, useDialog } from '../../kit/dialogs.tsx';
import { type Column, ListPage } from '../../kit/lists.tsx';
import { Badge, Button, CopyButton, CreateButton, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../../session/workspace-link.tsx';
import { CreateLinkDialog, EditLinkDialog } from './link-dialogs.tsx';

type Link = Schema<'OnboardingLink'>;

export function Page() {
  const { organizationId: org } = useOrganization();
  const acts = useLinkActs(org);
  const pages = usePages(['onboardingLinks', org], (query) =>
    api.get('/organizations/{org}/onboarding-links', { params: { path: { org }, query } }),
  );
  return (
    <>
      <ListPage
        title="Onboarding links"
        about="Anyone who opens a link can connect their own account. Links can be limited to a number of uses and a time."
        actions={
          <CreateButton tone="primary" onClick={acts.create}>
            Create link
          </CreateButton>
        }
        pages={pages}
        columns={columnsFor(org, acts)}
        keyOf={({ onboardingLinkId }) => onboardingLinkId}
        one="link"
        empty={
          <EmptyState
            title="No onboarding links yet"
            action={<CreateButton onClick={acts.create}>Create link</CreateButton>}
            command={`curl ${location.origin}/organizations/${org}/onboarding-links \\
  -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\
  -d '{"label": "Spring campaign", "channelType": "chatapp"}'`}
          >
            Create a link and send it to a customer. The channel is connected once they give permission at the platform.
          </EmptyState>
        }
      />
      {acts.shown}
    </>
  );
}

function useLinkActs(org: string) {
  const dialog = useDialog();
  const showUrl = (url: string) =>
    dialog.open((close) => (
      <SecretDialog title="Onboarding link created" secret={url} what="link" onClose={close}>
        Send this link to the customer. Anyone who has it can connect an account while it is active.
      </SecretDialog>
    ));
  return {
    shown: dialog.shown,
    create: () => dialog.open((close) => <CreateLinkDialog org={org} onCreated={showUrl} onClose={close} />),
    edit: (link: Link) => dialog.open((close) => <EditLinkDialog org={org} link={link} onClose={close} />),
    regenerate: ({ label, onboardingLinkId: ol }: Link) =>
      dialog.confirm({
        title: `Regenerate ${label}?`,
        submit: 'Regenerate link',
        tone: 'primary',
        about:
          'The old URL stops working immediately. Copy the new one from the list and send it to anyone who still needs it.',
        act: async () => {
          const params = { path: { org, ol } };
          await api.post('/organizations/{org}/onboarding-links/{ol}/regenerate', { params });
        },
        done: `${label} has a new URL.`,
      }),
    revoke: ({ label, onboardingLinkId: ol }: Link) =>
      dialog.confirm({
        title: `Revoke ${label}?`,
        submit: 'Revoke link',
        about:
          "The link stops working immediately, also for customers who are connecting an account right now. Channels that are already connected stay connected. You can't undo this.",
        act: () => api.delete('/organizations/{org}/onboarding-links/{ol}', { params: { path: { org, ol } } }),
        done: `${label} revoked.`,
      }),
  };
}

type LinkActs = ReturnType<typeof useLinkActs>;

const columnsFor = (org: string, acts: LinkActs): readonly Column<Link>[] => [
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
  { head: 'Actions', isHeadHidden: true, align: 'end', cell: (link) => <LinkActions link={link} acts={acts} /> },
];

function LinkActions({ link, acts }: { readonly link: Link; readonly acts: LinkActs }) {
  const { url, label } = link;
  if (url === null) return null;
  const button = (words: string, act: (link: Link) => void) => (
    <Button small tone="quiet" aria-label={`${words} ${label}`} onClick={() => act(link)}>
      {words}
    </Button>
  );
  return (
    <div class="actions">
      <CopyButton text={url} what={`link ${label}`} />
      {button('Edit', acts.edit)}
      {button('Regenerate', acts.regenerate)}
      {button('Revoke', acts.revoke)}
    </div>
  );
}
