import { startSendTarget } from './send-target.ts';
import { serveRemote } from './remote.ts';

const target = await startSendTarget();

const calls = { address: () => target.url };

export type SendTargetCalls = typeof calls;
serveRemote(calls);
