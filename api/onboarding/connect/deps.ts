import type { Knex } from 'knex';
import type { OutboundLog } from '../../../db/operations/outbound-calls.ts';
import type { BodyBudget } from '../../../process/body-budget.ts';
import type { SecretBox } from '../../../db/core/secret-box.ts';
import type { SigningRing } from '../../../db/core/signing-keys.ts';
import type { Log } from '../../../process/log.ts';
import type { PlatformOperations } from '../../../platform/operations/operations.ts';
import type { PlatformOAuth } from '../../../platform/oauth/oauth.ts';
import type { ApiShares } from '../../requests/api-shares.ts';
import type { RateLimits } from '../../requests/rate-limits.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';

export interface ConnectDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
  readonly signingRing: SigningRing;
  readonly baseUrl: string;
  readonly bodies: BodyBudget;
  readonly platformOAuth: PlatformOAuth;
  readonly platform: PlatformOperations;
  readonly outbound: Pick<OutboundLog, 'record'>;
  readonly temporal: Pick<WorkflowStarts, 'rollOutWebhook' | 'checkHealth'>;
  readonly shares: Pick<ApiShares, 'interactive'>;
  /** Optional. Omit to limit no attempts by client address. */
  readonly rateLimits?: Pick<RateLimits, 'countAttempt'> | undefined;
  readonly log: Log;
}
