import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isPaletteOpen } from '../kit/commands/commands.ts';
import { startShortcuts, useShortcut } from '../kit/commands/shortcuts.ts';
import { Icon } from '../kit/icon.tsx';
import { useLazy } from '../kit/use-lazy.ts';
import { path } from '../routes/router.ts';
import { currentWorkspace, defaultWorkspace, enterWorkspace, leaveWorkspace } from '../session/current-workspace.ts';
import { savePreference } from '../session/preferences.ts';
import type { OrganizationMembership, Person } from '../session/session-state.ts';
import { Brand, Footer } from './brand.tsx';
import { Menu } from './menu.tsx';
import { ServiceNotice } from './service-notice.tsx';
import { useNavigationCommands } from './navigation-commands.ts';

interface LayoutProps {
  readonly person: Person;
  readonly organization: OrganizationMembership | undefined;
  readonly workspaceId: string | undefined;
  readonly children: ComponentChildren;
}

export function Layout({ person, organization, workspaceId, children }: LayoutProps) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const organizationId = organization?.organizationId;
  useWorkspaceOfMenu(organizationId, workspaceId);
  useNavigationCommands(organization);
  useEffect(() => setMenuOpen(false), [path.value]);
  return (
    <div class={isMenuOpen ? 'layout menu-open' : 'layout'}>
      <header class="top-bar">
        <a href="/app">
          <Brand />
        </a>
        <button
          type="button"
          class="button plain menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name={isMenuOpen ? 'cross' : 'menu'} /> Menu
        </button>
      </header>
      <aside class="side" id="menu" aria-label="Menu">
        <Menu person={person} organization={organization} />
      </aside>
      <div class="content">
        <ServiceNotice />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <Footer />
      </div>
      <Keyboard />
    </div>
  );
}

/** Keeps the last workspace in the menu on organization pages. */
function useWorkspaceOfMenu(organizationId: string | undefined, workspaceId: string | undefined): void {
  useEffect(() => {
    if (organizationId === undefined || workspaceId !== undefined) return;
    savePreference('organization', organizationId);
    const known = currentWorkspace.peek()?.workspace;
    if (known?.organizationId === organizationId) return;
    leaveWorkspace();
    void enterDefaultWorkspace(organizationId);
  }, [organizationId, workspaceId]);
}

async function enterDefaultWorkspace(organizationId: string): Promise<void> {
  const usual = await defaultWorkspace(organizationId).catch(() => null); // the page reports the error
  if (usual !== null && currentWorkspace.peek() === null) await enterWorkspace(usual);
}

/** Adds the shortcuts of every page. The palette and the help load on first use. */
function Keyboard() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => startShortcuts(document), []);
  useShortcut({
    keys: 'mod+k',
    description: 'Open the command palette',
    run: () => void (isPaletteOpen.value = true),
  });
  useShortcut({ keys: '?', description: 'Show keyboard shortcuts', run: () => setHelpOpen(true) });
  const Palette = useLazy(isPaletteOpen.value, async () => (await import('./palette.tsx')).Palette);
  const Help = useLazy(isHelpOpen, async () => (await import('./shortcut-help.tsx')).ShortcutHelp);
  return (
    <>
      {isPaletteOpen.value && Palette && <Palette />}
      {isHelpOpen && Help && <Help onClose={() => setHelpOpen(false)} />}
    </>
  );
}
