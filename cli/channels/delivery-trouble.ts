import type { Schema } from '../../client/create-client.ts';
import { type CellValue, formatTime, type Output } from '../terminal/output.ts';

type Channel = Schema<'Channel'>;
type Delivery = NonNullable<Channel['delivery']>;

export interface Trouble {
  readonly sentence: string;
  /** What to do about it, in this order. */
  readonly steps: readonly string[];
}

/** More would push the list off the screen. */
const MAX_EXPLAINED = 5;

/** Short, so that narrow terminals show it whole. The reason is in the trouble. */
export function statusCell(channel: Channel): CellValue {
  if (!channel.connected) return { text: 'disconnected', tone: 'bad' };
  if (channel.credentialRefusedReason !== null) return { text: 'refused', tone: 'bad' };
  if (!channel.forwardingEnabled) return { text: 'forwarding off', tone: 'busy' };
  const { delivery } = channel;
  switch (delivery?.state) {
    case 'disabled':
      return { text: 'disabled', tone: delivery.reason === 'by_hand' ? 'busy' : 'bad' };
    case 'circuit_open':
      return { text: 'circuit open', tone: 'bad' };
    case 'overdue':
      return { text: 'deliveries late', tone: 'bad' };
    case 'not_settling':
      return { text: 'not settling', tone: 'bad' };
    case 'failing':
      return { text: 'failing', tone: 'bad' };
    case 'ok':
    case undefined:
      return { text: 'connected', tone: 'good' };
  }
}

/** Returns undefined for a channel that delivers. */
export function troubleOf(channel: Channel): Trouble | undefined {
  const { id, connected, disconnectedReason, forwardingEnabled } = channel;
  if (!connected) {
    const why = disconnectedReason === null ? 'on request' : `by the service: ${disconnectedReason}`;
    return {
      sentence: `It was disconnected ${why}.`,
      steps: [connectAgain(channel)],
    };
  }
  const { credentialRefusedReason: refusal, delivery } = channel;
  if (refusal !== null) {
    return {
      sentence: `Events arrive, but nothing can be sent. ${refusal}`,
      steps: [connectAgain(channel), `channels health ${id} --refresh`],
    };
  }
  if (!forwardingEnabled) {
    return { sentence: 'Forwarding is off: its events are skipped.', steps: [`channels enable ${id}`] };
  }
  return delivery === null ? undefined : destinationTrouble(id, delivery);
}

/** Explains below a list what the first channels in trouble need. */
export function explainTrouble(output: Output, channels: readonly Channel[]): void {
  const troubled = channels.flatMap((channel) => {
    const trouble = troubleOf(channel);
    return trouble === undefined ? [] : [{ channel, trouble }];
  });
  for (const { channel, trouble } of troubled.slice(0, MAX_EXPLAINED)) {
    output.warn(`\n${channel.id} ${channel.displayName}: ${trouble.sentence}`);
    for (const step of trouble.steps) output.note(`  ${step}`);
  }
  const more = troubled.length - MAX_EXPLAINED;
  if (more > 0) output.note(`\n${more} more need attention. See \`channels show <channel>\`.`);
}

function connectAgain({ type, workspaceId }: Channel): string {
  return `channels onboarding-links create 'Connect again' --type ${type} --into ${workspaceId}`;
}

function destinationTrouble(ch: string, delivery: Delivery): Trouble | undefined {
  const { destination, reason, since } = delivery;
  const name = destination === 'webhook' ? 'The webhook' : `Subscription ${destination}`;
  const from = since === null ? '' : ` since ${formatTime(since)} UTC`;
  const look = [`channels destinations ${ch}`, `channels deliveries list --channel ${ch} --status retrying`];
  switch (delivery.state) {
    case 'disabled': {
      const steps = [enableCommand(ch, destination), replayCommand(ch, since)];
      return {
        sentence: `${name} ${disabledBecause[reason ?? 'by_hand'] ?? 'is disabled'}${from}. Events are skipped.`,
        steps,
      };
    }
    case 'circuit_open': {
      const why = reason === 'retry_after' ? 'asked for a pause' : 'keeps failing';
      return { sentence: `${name} ${why}${from}. Deliveries wait until a probe succeeds.`, steps: look };
    }
    case 'overdue': {
      const why =
        reason === 'behind'
          ? 'answers more slowly than events arrive'
          : 'gets nothing from the service. Contact its operator';
      return { sentence: `${name} ${why}. Deliveries wait${from}.`, steps: look };
    }
    case 'not_settling': {
      const sentence = `${name}: the service cannot record what the receiver answers${from}. Contact its operator.`;
      return { sentence, steps: [] };
    }
    case 'failing':
      return { sentence: `${name} has failed${from}. Deliveries are retried.`, steps: look };
    case 'ok':
      return undefined;
  }
}

const disabledBecause: Readonly<Record<string, string>> = {
  gone: 'is disabled, because it answered 410 Gone,',
  failing: 'is disabled, because it failed for days,',
  by_hand: 'was disabled by a user',
};

function enableCommand(ch: string, destination: string): string {
  return destination === 'webhook'
    ? `channels webhook enable ${ch}`
    : `channels subscriptions enable ${ch} ${destination}`;
}

export function replayCommand(ch: string, since: string | null): string {
  return `channels replays create --channel ${ch} --since ${since?.replace(/\.\d+Z$/, 'Z') ?? '24h'} --status skipped`;
}
