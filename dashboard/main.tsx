import { render } from 'preact';
import { App } from './shell/app.tsx';
import { loadConfig } from './session/config.ts';
import { startRouter } from './routes/router.ts';

startRouter();
void loadConfig();
render(<App />, document.getElementById('app') ?? document.body);
