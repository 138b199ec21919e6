import { render } from 'preact';
import { App } from './shell/app.tsx';
import { loadConfig } from './shell/config.ts';
import { startRouter } from './shell/router.ts';

startRouter();
void loadConfig();
render(<App />, document.getElementById('app') ?? document.body);
