import { useState } from 'preact/hooks';
import { Brand } from './brand.tsx';
import { Button } from '../kit/button.tsx';
import { useLazy } from '../kit/calls/use-lazy.ts';
import { isPaletteOpen } from '../kit/commands/commands.ts';
import { describeKeys, isApple } from '../kit/commands/shortcuts.ts';
import { Icon } from '../kit/icon.tsx';
import { useAction } from '../kit/calls/use-action.ts';
import { type MenuEntry, organizationMenu, workspaceMenu } from '../pages/menu.ts';
import { currentWorkspace } from '../session/current-workspace.ts';
import { organizationPath, workspacePath } from '../routes/paths.ts';
import { navigate, path } from '../routes/router.ts';
import { signOut } from '../session/session.ts';
import type { OrganizationMembership, Person } from '../session/session-state.ts';
import { AlertBadge } from './alert-badge.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

interface MenuProps {
  readonly person: Person;
  readonly organization: OrganizationMembership | undefined;
}

export function Menu({ person, organization }: MenuProps) {
  const leaving = useAction(async () => {
    await signOut();
    navigate('/app', { replace: true });
  });
  return (
    <>
      <a class="home" href="/app">
        <Brand />
      </a>
      <SearchButton />
      {organization && (
        <>
          <OrganizationSwitcher organizations={person.organizations} organization={organization} />
          <WorkspaceMenu organizationId={organization.organizationId} />
          <nav aria-label="Organization">
            <h2>Organization</h2>
            <Entries
              entries={organizationMenu.filter(({ isForAdmins }) => !isForAdmins || organization.role === 'admin')}
              pathOf={(page) => organizationPath(organization.organizationId, page)}
              organizationId={organization.organizationId}
            />
          </nav>
        </>
      )}
      <ThemeSwitch />
      <nav aria-label="Account" class="you">
        <a class="me" href="/app/account" aria-current={path.value === '/app/account' ? 'page' : undefined}>
          {person.user.email}
        </a>
        <Button small tone="quiet" busy={leaving.isBusy} onClick={() => void leaving.run()}>
          Sign out
        </Button>
      </nav>
    </>
  );
}

function SearchButton() {
  return (
    <button
      type="button"
      class="search-button"
      aria-haspopup="dialog"
      onClick={() => void (isPaletteOpen.value = true)}
    >
      <Icon name="search" />
      <span>Search</span>
      <kbd>{describeKeys('mod+k', isApple())}</kbd>
    </button>
  );
}

interface SwitcherProps {
  readonly organizations: readonly OrganizationMembership[];
  readonly organization: OrganizationMembership;
}

function OrganizationSwitcher({ organizations, organization }: SwitcherProps) {
  if (organizations.length === 1) return <p class="organization-name">{organization.name}</p>;
  return (
    <select
      class="organization-switcher"
      aria-label="Organization"
      value={organization.organizationId}
      onChange={({ currentTarget }) => navigate(organizationPath(currentTarget.value))}
    >
      {organizations.map(({ organizationId, name }) => (
        <option key={organizationId} value={organizationId}>
          {name}
        </option>
      ))}
    </select>
  );
}

function WorkspaceMenu({ organizationId }: { readonly organizationId: string }) {
  const [isPicking, setPicking] = useState(false);
  const Picker = useLazy(isPicking, async () => (await import('./workspace-picker.tsx')).WorkspacePicker);
  const workspace = currentWorkspace.value?.workspace;
  const isOurs = workspace?.organizationId === organizationId;
  return (
    <nav aria-label="Workspace">
      <h2>{isOurs && workspace.kind === 'customer' ? 'Customer' : 'Workspace'}</h2>
      <button type="button" class="workspace-switcher" aria-haspopup="dialog" onClick={() => setPicking(true)}>
        <span class="hidden">Switch workspace, currently </span>
        <span class="name">{isOurs ? workspace.name : '\u00a0'}</span> <Icon name="switch" />
      </button>
      {isOurs && (
        <Entries
          entries={workspaceMenu}
          pathOf={(page) => workspacePath(organizationId, workspace.id, page)}
          organizationId={organizationId}
          workspaceId={workspace.id}
        />
      )}
      {isPicking && Picker && <Picker organizationId={organizationId} onClose={() => setPicking(false)} />}
    </nav>
  );
}

interface EntriesProps {
  readonly entries: readonly MenuEntry[];
  readonly pathOf: (page: string) => string;
  readonly organizationId: string;
  readonly workspaceId?: string;
}

function Entries({ entries, pathOf, organizationId, workspaceId }: EntriesProps) {
  return (
    <ul>
      {entries.map(({ label, icon, page }) => (
        <li key={label}>
          <a href={pathOf(page)} aria-current={currentState(pathOf(page), page === '')}>
            <Icon name={icon} />
            <span>{label}</span>
            {page === 'alerts' && <AlertBadge organizationId={organizationId} workspaceId={workspaceId} />}
          </a>
        </li>
      ))}
    </ul>
  );
}

function currentState(target: string, isFirst: boolean): 'page' | 'true' | undefined {
  if (path.value === target) return 'page';
  return !isFirst && path.value.startsWith(`${target}/`) ? 'true' : undefined;
}
