import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import { type AuditEntry, recordAudit } from '../../db/audit/record-audit.ts';
import type { ConfigOf } from '../../process/config.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';

export interface AdminDeps {
  readonly db: Knex;
  readonly config: ConfigOf<'admin'>;
  /** Created on demand, because not every command needs the keys. */
  readonly secretBox: () => SecretBox;
  readonly signingRing: () => SigningRing;
  readonly bodyBox: () => BodyBox;
  /** Reads secrets from standard input, because arguments are visible to other users. */
  readonly readInput: () => Promise<string>;
  /** Optional. Default: connects by the settings of the process. */
  readonly connectTemporal?: () => Promise<TemporalClient>;
}

export interface TemporalClient {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** Optional. Whether it runs without DATABASE_URL. Default: false. */
  readonly isWithoutDatabase?: boolean;
  /** An object is printed as one line of JSON, and text as it is. */
  readonly run: (deps: AdminDeps, args: readonly string[]) => Promise<object | string>;
}

interface Operation extends Omit<AuditEntry, 'organizationId' | 'actor'> {
  readonly organizationId?: number;
}

/** The operator uses the command line and has no user account. */
export async function recordOperation(trx: Knex, { organizationId, ...operation }: Operation): Promise<void> {
  const actor = { type: 'system', id: 'admin' } as const;
  await recordAudit(trx, { ...operation, organizationId: organizationId ?? null, actor });
}
