import { defaultFailingDisableMs, defaultProbeDelaysMs } from '../contract/destinations/circuit.ts';
import { integer, scheduleMs, type Setting } from './setting-values.ts';

export const deliverySettings = {
  circuitProbeDelaysMs: {
    name: 'CIRCUIT_PROBE_SECONDS',
    readers: ['api', 'worker'],
    default: defaultProbeDelaysMs.map((delayMs) => delayMs / 1_000).join(','),
    description:
      'Delays before the first, second, … probe of a destination whose circuit is open, comma-separated. The last one repeats for an hour. Then the delays grow to 15 minutes, unless the last one is longer.',
    parse: scheduleMs,
  },
  failingDisableHours: {
    name: 'FAILING_DISABLE_HOURS',
    readers: ['worker'],
    default: String(defaultFailingDisableMs / 3_600_000),
    description:
      'Number of hours without a success after which a destination is disabled, if at least two of its deliveries failed.',
    parse: integer(1, 10_000),
  },
  conversationHoldSeconds: {
    name: 'CONVERSATION_HOLD_SECONDS',
    readers: ['worker'],
    default: '300',
    description: 'Maximum time that a failing delivery holds back later deliveries of its conversation.',
    parse: integer(0, 86_400),
  },
  deliveryTimeoutMs: {
    name: 'DELIVERY_TIMEOUT_MS',
    readers: ['worker'],
    default: '10000',
    description:
      'Deadline of one attempt, from the DNS lookup to the last byte of the response. Time in which an attempt waits for one of the connections below does not count.',
    parse: integer(1, 60_000),
  },
  destinationInFlight: {
    name: 'DESTINATION_IN_FLIGHT',
    readers: ['worker'],
    default: '64',
    description: 'Maximum concurrent requests to one destination.',
    parse: integer(1, 10_000),
  },
  workspaceInFlight: {
    name: 'WORKSPACE_IN_FLIGHT',
    readers: ['worker'],
    default: '256',
    description:
      'Maximum concurrent requests to all destinations of one workspace, in the whole installation. Live workers divide it equally, so one that serves all of a workspace gets only its part.',
    parse: integer(1, 10_000),
  },
  workspaceConnections: {
    name: 'WORKSPACE_CONNECTIONS',
    readers: ['worker'],
    default: '1024',
    description:
      'Maximum concurrent requests of each worker process to all destinations of one workspace, including retries, probes and test events. Further requests wait. An eighth is kept for destinations without a request under way.',
    parse: integer(1, 100_000),
  },
  workerConnections: {
    name: 'WORKER_CONNECTIONS',
    readers: ['worker'],
    default: '4096',
    description:
      'Maximum connections of each worker process to destinations. At the limit idle connections are closed first, then requests wait. An eighth is kept for destinations without a request under way.',
    parse: integer(1, 100_000),
  },
} as const satisfies Record<string, Setting>;
