import type { Knex } from 'knex';
import type { OutboundLog } from '../../db/outbound-calls.ts';
import type { BodyBudget } from '../../body-budget.ts';
import type { SecretBox } from '../../db/secrets.ts';
import type { SigningRing } from '../../db/signing-keys.ts';
import type { Log } from '../../log.ts';
import type { PlatformOAuth } from '../../platform/oauth.ts';

/** What the customer's pages need. */
export interface ConnectDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
  readonly signingRing: SigningRing;
  readonly baseUrl: string;
  readonly bodies: BodyBudget;
  readonly platformOAuth: PlatformOAuth;
  readonly outbound: Pick<OutboundLog, 'record'>;
  readonly log: Log;
}
