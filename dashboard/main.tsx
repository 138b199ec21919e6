import { render } from 'preact';
import { App, preloadPage } from './shell/app.tsx';
import { PortalApp } from './shell/portal-app.tsx';
import { loadConfig } from './session/config.ts';
import { loadSession } from './session/session.ts';
import { startRouter } from './routes/router.ts';

startRouter();
const isPortal = location.pathname.startsWith('/portal/');
const root = document.getElementById('app') ?? document.body;
if (isPortal) {
  render(<PortalApp />, root);
} else {
  // Configuration, session and the first page's script are loaded at the same time.
  void loadConfig();
  const firstSession = loadSession();
  preloadPage();
  render(<App firstSession={firstSession} />, root);
}
