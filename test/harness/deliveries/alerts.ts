import { randomBytes, randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { type AlertKind, alertKinds } from '../../../contract/alerts/kinds.ts';
import { randomId } from '../../../contract/ids.ts';

export interface SampleAlert {
  readonly organizationId: number;
  readonly workspaceId: number | null;
  readonly channelId?: number | null;
  readonly kind?: AlertKind;
  readonly label?: string;
  /** Optional. Default: of no cause in the database. */
  readonly causeKey?: number;
}

/** Returns the public id of an open alert. */
export async function anAlert(
  db: Knex,
  {
    organizationId,
    workspaceId,
    channelId = null,
    kind = 'destination.circuit_open',
    label = 'receiver.example.com',
    causeKey = randomInt(1, 2 ** 40),
  }: SampleAlert,
): Promise<string> {
  const publicId = randomId('alert', randomBytes);
  await db('alerts').insert({
    public_id: publicId,
    organization_id: organizationId,
    workspace_id: workspaceId,
    channel_id: channelId,
    kind,
    severity: alertKinds[kind].severity,
    cause_key: causeKey,
    subject_type: 'webhook',
    subject_label: label,
  });
  return publicId;
}
