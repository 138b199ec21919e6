import type * as workflows from './index.ts';

/**
 * `PINNED`: a run ends within a minute, on the build that started it. `AUTO_UPGRADE`: a run that may last longer, also of a
 * new type. It moves to the current build with its next task, so a change of its workflow must be patched: see "A change
 * of a workflow" in CONTRIBUTING.md.
 */
export const versioningBehaviors = {
  alertDigest: 'PINNED',
  callAlertWebhook: 'PINNED',
  carryContainer: 'AUTO_UPGRADE',
  checkDestination: 'PINNED',
  checkHealth: 'PINNED',
  deliverWebhook: 'AUTO_UPGRADE',
  deliveryShard: 'AUTO_UPGRADE',
  destinationCircuit: 'AUTO_UPGRADE',
  emailCode: 'AUTO_UPGRADE',
  eraseData: 'AUTO_UPGRADE',
  installation: 'AUTO_UPGRADE',
  invariants: 'AUTO_UPGRADE',
  notifyConnection: 'PINNED',
  refreshCredential: 'AUTO_UPGRADE',
  refreshHealth: 'AUTO_UPGRADE',
  replayDeliveries: 'AUTO_UPGRADE',
  retention: 'AUTO_UPGRADE',
  rollOutWebhook: 'AUTO_UPGRADE',
  rotateToken: 'AUTO_UPGRADE',
  saveDefaultWebhook: 'PINNED',
  saveWebhook: 'PINNED',
  sendInvitation: 'AUTO_UPGRADE',
  sendScheduledMessage: 'PINNED',
  sendTestEvent: 'PINNED',
} as const satisfies Readonly<Record<keyof typeof workflows, 'PINNED' | 'AUTO_UPGRADE'>>;
