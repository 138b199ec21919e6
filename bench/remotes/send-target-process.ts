import { startSendTarget } from './send-target.ts';
import { serveRemote } from './remote.ts';

/** The platform's side of sends as a process of its own. */
const target = await startSendTarget();

const calls = { address: () => target.url };

export type SendTargetCalls = typeof calls;
serveRemote(calls);
