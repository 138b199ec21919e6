import { isIP } from 'node:net';
import { z } from 'zod';
import { integer, list, port, type Setting, text } from './setting-values.ts';

/** The server's limits, and no separator of its version strings. */
const deploymentName = /^[A-Za-z0-9_-]{1,128}$/;
const buildId = /^[A-Za-z0-9._-]{1,128}$/;

export const workerSettings = {
  workerRoles: {
    name: 'WORKER_ROLES',
    readers: ['worker'],
    default: 'pump,main',
    description:
      'What a worker process does: `pump` sends deliveries, `main` runs workflows and upkeep. An installation needs both, in the same or in separate processes.',
    parse: list.pipe(z.array(z.enum(['pump', 'main'], 'must be pump, main or both')).min(1, 'must name a role')),
  },
  workerVersioning: {
    name: 'WORKER_VERSIONING',
    readers: ['worker'],
    default: 'automatic',
    description:
      'Which workers run workflows during an upgrade. `automatic`: the newest build with a live worker becomes current in Temporal. `manual`: an operator or a rollout runs `admin set-current-version`. `off`: workers are not versioned.',
    parse: z.enum(['automatic', 'manual', 'off'], 'must be automatic, manual or off'),
  },
  workerDeploymentName: {
    name: 'WORKER_DEPLOYMENT_NAME',
    readers: ['worker', 'admin'],
    default: 'messaging-channels',
    description: "Name of the workers' deployment in Temporal.",
    parse: text.regex(deploymentName, 'must be up to 128 letters, digits, _ or -'),
  },
  workerBuildId: {
    name: 'WORKER_BUILD_ID',
    readers: ['worker', 'admin'],
    description: 'Build ID of the worker in Temporal. Default: the digest of its code.',
    parse: text.regex(buildId, 'must be up to 128 letters, digits, dots, _ or -'),
  },
  workerOffersHost: {
    name: 'WORKER_OFFERS_HOST',
    readers: ['worker'],
    description:
      'IP address of this worker at which it listens for the deliveries that API processes offer. Default: its own address on the connection to the database.',
    parse: text.refine(
      (value) => isIP(value) !== 0 && !/^[0:.]+$/.test(value),
      'must be an IP address of this host, not 0.0.0.0 or ::',
    ),
  },
  workerOffersPort: {
    name: 'WORKER_OFFERS_PORT',
    readers: ['worker'],
    default: '0',
    description: 'Port at which a worker listens for the deliveries that API processes offer. 0: any free port.',
    parse: port,
  },
  alertCircuitMinutes: {
    name: 'ALERT_CIRCUIT_MINUTES',
    readers: ['worker'],
    default: '10',
    description: "Number of minutes after which a destination's open circuit is an alert.",
    parse: integer(0, 10_000),
  },
  alertGatherSeconds: {
    name: 'ALERT_GATHER_SECONDS',
    readers: ['worker'],
    default: '60',
    description:
      'Number of seconds for which alerts are gathered before one email lists them. Further emails to the same organization follow after ten times as long.',
    parse: integer(1, 3_600),
  },
  channelHealthHours: {
    name: 'CHANNEL_HEALTH_HOURS',
    readers: ['worker'],
    default: '6',
    description:
      'Number of hours between checks of what the platform says about a connected account. 0 checks only new channels and on request.',
    parse: integer(0, 168),
  },
  channelHealthCallsPerMinute: {
    name: 'CHANNEL_HEALTH_CALLS_PER_MINUTE',
    readers: ['worker'],
    default: '60',
    description:
      "Maximum number of calls per minute for scheduled checks of connected accounts, so that they leave most of the platform's limit to messages. A check takes two or three.",
    parse: integer(1, 100_000),
  },
} as const satisfies Record<string, Setting>;
