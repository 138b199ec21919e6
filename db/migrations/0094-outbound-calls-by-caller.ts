import { concurrentIndex } from './concurrent-index.ts';

/** Finds the calls that a caller's own request id caused. */
export const outboundCallsByCaller = concurrentIndex({
  name: 'outbound_calls_by_caller_request',
  on: 'outbound_calls (caller_request_id) where caller_request_id is not null',
});
