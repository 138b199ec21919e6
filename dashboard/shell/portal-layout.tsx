import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { siteName } from '../kit/page.tsx';
import { workspacePath } from '../routes/paths.ts';
import { path } from '../routes/router.ts';
import { may, type Portal } from '../session/portal.ts';

interface PortalLayoutProps {
  readonly portal: Portal;
  readonly children: ComponentChildren;
}

export function PortalLayout({ portal, children }: PortalLayoutProps) {
  const { branding, organization, workspace } = portal;
  const name = branding.displayName ?? organization.name;
  useEffect(() => {
    siteName.value = name;
    // The content security policy allows properties set by scripts, and no style attributes.
    const { style } = document.documentElement;
    if (branding.color === null || branding.textColor === null) return;
    style.setProperty('--brand', branding.color);
    style.setProperty('--on-brand', branding.textColor);
  }, []);
  const at = (page: string) => workspacePath(organization.id, workspace.id, page);
  return (
    <div class="portal">
      <header class="portal-bar">
        <div class="portal-container">
          <p class="portal-name">
            {branding.logoUrl !== null && <img src={branding.logoUrl} alt="" referrerpolicy="no-referrer" />}
            <strong>{name}</strong> <span>Workspace: {workspace.name}</span>
          </p>
          <nav aria-label="Portal">
            <ul>
              <Entry label="Channels" href={at('')} isCurrent={path.value === at('') || isUnder(at('channels'))} />
              {may('deliveries.read') && (
                <Entry label="Deliveries" href={at('deliveries')} isCurrent={isUnder(at('deliveries'))} />
              )}
              {may('replays.read') && <Entry label="Replays" href={at('replays')} isCurrent={isUnder(at('replays'))} />}
            </ul>
          </nav>
        </div>
      </header>
      <main id="main" class="portal-container" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function isUnder(base: string): boolean {
  return path.value === base || path.value.startsWith(`${base}/`);
}

interface EntryProps {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

function Entry({ label, href, isCurrent }: EntryProps) {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {label}
      </a>
    </li>
  );
}
