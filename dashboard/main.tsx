import { render } from 'preact';
import { App } from './shell/app.tsx';
import { PortalApp } from './shell/portal-app.tsx';
import { loadConfig } from './session/config.ts';
import { startRouter } from './routes/router.ts';

startRouter();
const isPortal = location.pathname.startsWith('/portal/');
if (!isPortal) void loadConfig();
render(isPortal ? <PortalApp /> : <App />, document.getElementById('app') ?? document.body);
