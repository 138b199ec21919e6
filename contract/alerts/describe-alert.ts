import { describeReasons } from '../channels/judge-health.ts';
import type { AlertKind } from './kinds.ts';

export interface DescribedAlert {
  readonly kind: AlertKind;
  /** The name of the thing in question, such as the host of a destination. */
  readonly label: string;
  readonly occurrences: number;
  /** A code or sentence of the service; null if the kind needs none. */
  readonly reason: string | null;
}

/** Returns one or two sentences that say what happened and what to do. */
export function describeAlert({ kind, label, occurrences, reason }: DescribedAlert): string {
  switch (kind) {
    case 'destination.circuit_open':
      return `${label} keeps failing, so deliveries to it wait for a successful probe. Check the receiver.`;
    case 'destination.disabled':
      return `${label} was disabled because ${disabledBecause(reason)}. Repair the receiver and enable it.`;
    case 'deliveries.notSettling':
      return `The service cannot record deliveries that ${label} has answered, and may send them again. The operator of the service must act; you need not change anything.`;
    case 'deliveries.overdue':
      return `Deliveries to ${label} have waited for more than two minutes. ${overdueBecause(reason)}`;
    case 'deliveries.exhausted':
      return `${counted(occurrences, 'delivery', 'deliveries')} to ${label} used up the retry schedule. Retry or replay them.`;
    case 'channel.disconnected':
      return `${label} was disconnected${reason === null ? '' : `: ${reason}`}. Connect the account again.`;
    case 'credential.refused':
      return `${label} can't be written to${reason === null ? '' : `: ${reason}`} Its events are still received and delivered. Connect the account again.`;
    case 'credential.expiring':
      return `The credential of ${label} ends soon and could not be refreshed. Connect the account again.`;
    case 'channel.health':
      return `The platform reports a problem with ${label}. ${describeReasons(reason ?? '')}`.trim();
    case 'container.failed':
      return `${counted(occurrences, 'media container', 'media containers')} of ${label} failed. Read the status detail of each one.`;
    case 'container.unknown':
      return `${counted(occurrences, 'media container', 'media containers')} of ${label} may or may not exist on the platform. Check the account before you create them again.`;
    case 'scheduledMessage.failed':
      return `${counted(occurrences, 'scheduled message', 'scheduled messages')} of ${label} failed, or may not have been sent. Read the reason of each one.`;
    case 'scheduledPost.failed':
      return `${counted(occurrences, 'scheduled post', 'scheduled posts')} of ${label} could not be published. Read the reason of each one.`;
    case 'defaultWebhook.failed':
      return `The default webhook could not be set for ${label}, so that its events are stored but not sent. Repair the receiver and start a rollout, or set a webhook.`;
    case 'replay.failed':
      return `${counted(occurrences, 'event', 'events')} of the replay ${label} could not be delivered. Look at its deliveries.`;
  }
}

function disabledBecause(reason: string | null): string {
  return reason === 'gone' ? 'it answered 410 Gone twice' : 'it failed for days without any success';
}

function overdueBecause(reason: string | null): string {
  return reason === 'behind'
    ? 'The receiver answers more slowly than events arrive. Make it answer faster.'
    : 'The service has sent it nothing in this time. The operator of the service must act; you need not change anything.';
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
