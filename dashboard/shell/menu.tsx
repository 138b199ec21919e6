import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { useAction, useLoad } from '../kit/calls.ts';
import { isPaletteOpen } from '../kit/commands/commands.ts';
import { describeKeys, isApple } from '../kit/commands/shortcuts.ts';
import { Icon } from '../kit/icon.tsx';
import { currentState } from '../kit/page.tsx';
import { Badge, Button } from '../kit/parts.tsx';
import { useLazy } from '../kit/use-lazy.ts';
import { type MenuEntry, organizationMenu, workspaceMenu } from '../pages/menu.ts';
import { organizationPath, workspacePath } from '../routes/paths.ts';
import { navigate, path } from '../routes/router.ts';
import { api } from '../session/api.ts';
import { currentWorkspace } from '../session/current-workspace.ts';
import { readPreference, savePreference } from '../session/preferences.ts';
import type { OrganizationMembership, Person } from '../session/session-state.ts';
import { signOut } from '../session/session.ts';
import { chooseTheme, type Theme, theme, themes } from '../session/theme.ts';
import { Brand } from './brand.tsx';

interface MenuProps {
  readonly person: Person;
  readonly organization: OrganizationMembership | undefined;
}

/** The foot stays in sight while the pages above it scroll. */
export function Menu({ person, organization }: MenuProps) {
  const leaving = useAction(async () => {
    await signOut();
    navigate('/app', { replace: true });
  });
  return (
    <>
      <div class="side-pages">
        <a class="home" href="/app">
          <Brand />
        </a>
        <SearchButton />
        {organization && (
          <>
            <OrganizationSwitcher organizations={person.organizations} organization={organization} />
            <WorkspaceMenu organizationId={organization.organizationId} />
            <OrganizationMenu organization={organization} />
          </>
        )}
      </div>
      <nav aria-label="Account" class="side-foot">
        <a class="me" href="/app/account" aria-current={path.value === '/app/account' ? 'page' : undefined}>
          {person.user.email}
        </a>
        <div>
          <ThemeSwitch />
          <Button small tone="quiet" busy={leaving.isBusy} onClick={() => leaving.run()}>
            Sign out
          </Button>
        </div>
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
        <ul>
          {workspaceMenu.map((entry) => (
            <Entry
              key={entry.label}
              entry={entry}
              organizationId={organizationId}
              href={workspacePath(organizationId, workspace.id, entry.page)}
            >
              {entry.page === 'alerts' && <AlertBadge organizationId={organizationId} workspaceId={workspace.id} />}
            </Entry>
          ))}
        </ul>
      )}
      {isPicking && Picker && <Picker organizationId={organizationId} onClose={() => setPicking(false)} />}
    </nav>
  );
}

const OPEN_PREFERENCE = 'organization-menu';

/** A group that opens, also by itself on a page of the organization. */
function OrganizationMenu({ organization: { organizationId, role } }: Pick<SwitcherProps, 'organization'>) {
  const id = useId();
  const isHere = organizationMenu.some((entry) => entryState(entry, { organizationId, href: pathOf(entry) }));
  const [isOpen, setOpen] = useState(readPreference(OPEN_PREFERENCE) === 'open' || isHere);
  useEffect(() => {
    if (isHere) setOpen(true);
  }, [isHere]);
  const toggle = (): void => {
    savePreference(OPEN_PREFERENCE, isOpen ? 'closed' : 'open');
    setOpen(!isOpen);
  };
  const entries = organizationMenu.filter(({ isForAdmins }) => !isForAdmins || role === 'admin');
  return (
    <nav aria-label="Organization">
      <h2>
        <button type="button" class="group-button" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
          <Icon name={isOpen ? 'down' : 'right'} />
          <span>Organization</span>
          <AlertBadge organizationId={organizationId} />
        </button>
      </h2>
      <ul id={id} hidden={!isOpen}>
        {entries.map((entry) => (
          <Entry key={entry.label} entry={entry} organizationId={organizationId} href={pathOf(entry)} />
        ))}
      </ul>
    </nav>
  );

  function pathOf({ page }: MenuEntry): string {
    return organizationPath(organizationId, page);
  }
}

interface EntryPlace {
  readonly organizationId: string;
  readonly href: string;
}

interface EntryProps extends EntryPlace {
  readonly entry: MenuEntry;
  /** Optional. Follows the label. */
  readonly children?: ComponentChildren;
}

function Entry({ entry, children, ...place }: EntryProps) {
  return (
    <li>
      <a href={place.href} aria-current={entryState(entry, place)}>
        <Icon name={entry.icon} />
        <span>{entry.label}</span>
        {children}
      </a>
    </li>
  );
}

function entryState({ page, tab }: MenuEntry, { organizationId, href }: EntryPlace): 'page' | 'true' | undefined {
  const own = currentState(href, page === '');
  return tab === undefined ? own : (own ?? currentState(organizationPath(organizationId, tab), false));
}

export const looks = {
  system: { label: 'System theme', icon: 'monitor' },
  light: { label: 'Light theme', icon: 'sun' },
  dark: { label: 'Dark theme', icon: 'moon' },
} as const satisfies Record<Theme, object>;

/** Three buttons that act as one choice. */
function ThemeSwitch() {
  return (
    <div class="theme-switch" role="group" aria-label="Theme">
      {themes.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={looks[one].label}
          title={looks[one].label}
          aria-pressed={theme.value === one}
          onClick={() => chooseTheme(one)}
        >
          <Icon name={looks[one].icon} />
        </button>
      ))}
    </div>
  );
}

const REFRESH_MS = 60_000;
/** The API counts at most 1,000 alerts of each severity. */
const MAX_SHOWN = 999;

interface AlertBadgeProps {
  readonly organizationId: string;
  readonly workspaceId?: string | undefined;
}

/** The menu works without the number. */
function AlertBadge({ organizationId: org, workspaceId }: AlertBadgeProps) {
  const load = () => {
    const params = { path: { org }, query: workspaceId === undefined ? {} : { workspaceId } };
    return api.get('/organizations/{org}/alert-count', { params });
  };
  const options = { everyMs: REFRESH_MS, isKept: true };
  const { value, reload } = useLoad(['alert-count', org, workspaceId], load, options);
  useEffect(() => void reload(), [path.value]);
  const count = value ? value.critical + value.warning : 0;
  if (count === 0) return null;
  return (
    <>
      {' '}
      <Badge tone="bad">
        {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
        <span class="hidden"> open</span>
      </Badge>
    </>
  );
}
