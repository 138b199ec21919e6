import { isId } from '../../contract/ids.ts';
import { queries } from '../kit/calls.ts';
import { type Command, useCommands, useCommandSearch } from '../kit/commands/commands.ts';
import { type MenuEntry, organizationMenu, organizationTabs, workspaceMenu } from '../pages/menu.ts';
import { organizationPath, workspacePath } from '../routes/paths.ts';
import { navigate } from '../routes/router.ts';
import { api, apiIn } from '../session/api.ts';
import { currentWorkspace } from '../session/current-workspace.ts';
import type { OrganizationMembership } from '../session/session-state.ts';
import { chooseTheme, themes } from '../session/theme.ts';
import { looks } from './menu.tsx';

const PAGE_LIMIT = 100;

/** Puts pages, workspaces, channels and ids into the palette. */
export function useNavigationCommands(organization: OrganizationMembership | undefined): void {
  const workspaceId = currentWorkspace.value?.workspaceId;
  const name = currentWorkspace.value?.workspace?.name ?? '';
  const organizationId = organization?.organizationId;
  useCommands(pageCommands(organization, workspaceId, name), [organizationId, organization?.role, workspaceId, name]);
  useCommandSearch(
    async (text) => {
      if (organizationId === undefined) return [];
      const [workspaces, channels] = await Promise.all([
        findWorkspaces(organizationId, text),
        workspaceId === undefined ? [] : findChannels(organizationId, workspaceId, text),
      ]);
      return [...idCommands(organizationId, workspaceId, text.trim()), ...channels, ...workspaces];
    },
    [organizationId, workspaceId],
  );
}

function goTo(label: string, group: string, to: string): Command {
  return { id: to, label, group, run: () => navigate(to) };
}

/** Returns the commands that go to the pages of a menu. */
function menuCommands(
  entries: readonly MenuEntry[],
  group: string,
  pathOf: (page: string) => string,
): readonly Command[] {
  return entries.map(({ label, icon, page }) => ({ ...goTo(label, group, pathOf(page)), icon }));
}

const helpCommands: readonly Command[] = [
  { id: '/guides/', label: 'Guides', group: 'Help', icon: 'book', run: () => location.assign('/guides/') },
  { id: '/docs', label: 'API reference', group: 'Help', icon: 'book', run: () => location.assign('/docs') },
];

const themeCommands: readonly Command[] = themes.map((one) => ({
  id: `theme ${one}`,
  group: 'Theme',
  ...looks[one],
  run: () => chooseTheme(one),
}));

function pageCommands(
  organization: OrganizationMembership | undefined,
  workspaceId: string | undefined,
  name: string,
): readonly Command[] {
  const others = [goTo('Account', 'You', '/app/account'), ...helpCommands, ...themeCommands];
  if (!organization) return others;
  const { organizationId, role } = organization;
  const own = workspaceId === undefined ? [] : workspaceMenu;
  return [
    ...menuCommands(own, name, (page) => workspacePath(organizationId, workspaceId ?? '', page)),
    ...menuCommands(
      [...organizationMenu, ...organizationTabs].filter(({ isForAdmins }) => !isForAdmins || role === 'admin'),
      'Organization',
      (page) => organizationPath(organizationId, page),
    ),
    ...others,
  ];
}

/** Pages that an id alone leads to. Those of a channel need its id, too. */
const pagesOfIds = [
  ['channel', 'channels'],
  ['delivery', 'deliveries'],
  ['replay', 'replays'],
] as const;

function idCommands(org: string, workspaceId: string | undefined, text: string): readonly Command[] {
  if (isId('workspace', text)) return [{ ...goTo('Open workspace', 'ID', workspacePath(org, text)), hint: text }];
  if (workspaceId === undefined) return [];
  return pagesOfIds
    .filter(([kind]) => isId(kind, text))
    .map(([kind, page]) => ({
      ...goTo(`Open ${kind}`, 'ID', workspacePath(org, workspaceId, `${page}/${text}`)),
      hint: text,
    }));
}

const hasText = (text: string, ...values: readonly (string | null)[]): boolean =>
  values.some((value) => value?.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()));

async function findWorkspaces(org: string, text: string): Promise<readonly Command[]> {
  const workspaces = await kept(['workspaces', org], async () => {
    const params = { path: { org }, query: { limit: PAGE_LIMIT } };
    return (await api.get('/organizations/{org}/workspaces', { params })).workspaces;
  });
  return workspaces
    .filter(({ id, name, externalId }) => hasText(text, id, name, externalId))
    .map(({ id, name, kind, externalId }) => {
      const group = kind === 'customer' ? 'Customer' : 'Workspace';
      return { ...goTo(name, group, workspacePath(org, id)), hint: externalId ?? id };
    });
}

async function findChannels(org: string, workspaceId: string, text: string): Promise<readonly Command[]> {
  const channels = await kept(['channels', workspaceId], async () => {
    return (await apiIn(workspaceId).get('/platform/channels', { params: { query: { limit: PAGE_LIMIT } } })).channels;
  });
  return channels
    .filter(({ id, displayName }) => hasText(text, id, displayName))
    .map(({ id, displayName }) => ({
      ...goTo(displayName ?? id, 'Channel', workspacePath(org, workspaceId, `channels/${id}`)),
      hint: id,
    }));
}

const KEPT_MS = 30_000;

/** Typing asks the API once, not per key. */
async function kept<Answer>(key: readonly unknown[], ask: () => Promise<Answer>): Promise<Answer> {
  return await queries.fetchQuery({ queryKey: ['palette', ...key], queryFn: ask, staleTime: KEPT_MS, gcTime: KEPT_MS });
}
