import type { Schema } from '../../client/create-client.ts';
import { type Field, formatTime } from '../terminal/output.ts';

type Health = Schema<'ChannelHealth'>;

export function describeHealth(health: Health): Field[] {
  const { waiting, oldestWaitingSeconds: oldest } = health;
  return [
    ['Channel', `${health.channelId} (${health.type} ${health.resourceId}) ${health.displayName}`],
    ['Organization', `${health.organizationId} ${health.organizationName}`],
    ['Workspace', health.workspaceId],
    ['Connected', health.connected],
    ['Credential refused', health.credentialRefusedAt ?? 'no'],
    ['Forwarding', health.forwardingEnabled ? 'on' : 'off'],
    ['Waiting', `${waiting.pending} pending, ${waiting.retrying} retrying`],
    ['Oldest waiting', oldest === null ? null : `${oldest} s`],
    ...health.destinations.map((one) => ['Destination', describeDestination(one)] satisfies Field),
    ['Temporal', health.temporalUrls?.troubled],
  ];
}

function describeDestination(one: Health['destinations'][number]): string {
  const state = one.enabled ? `circuit ${one.circuit.state}` : `disabled (${one.disabledReason ?? 'by_hand'})`;
  const probe = one.circuit.nextProbeAt === null ? '' : `, next probe ${formatTime(one.circuit.nextProbeAt)}`;
  const settling = one.notSettlingSince ? `, not settling since ${formatTime(one.notSettlingSince)}` : '';
  return `${one.subscriptionId ?? one.listenerId ?? one.type} ${one.url ?? ''}: ${state}${probe}${settling}`;
}
