import type { AuditContext } from '../../db/audit/record-audit.ts';
import type { RolloutStart } from '../../contract/webhooks/rollout.ts';
import type { DefaultOwner } from '../../db/webhooks/default-webhooks.ts';
import { createRollout, type RolloutRecord } from '../../db/webhooks/rollouts.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict } from '../requests/errors.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';

export interface RolloutRequest {
  readonly owner: DefaultOwner;
  readonly input: { readonly dryRun: boolean; readonly replaceOwn: boolean };
  readonly idempotencyKey: string | null;
  readonly audit: AuditContext;
}

/** The rollout exists once it is committed. Temporal outages only delay it. */
export async function applyDefaultWebhook(deps: ApiDeps, request: RolloutRequest): Promise<RolloutRecord> {
  const { owner, input, idempotencyKey, audit } = request;
  const key =
    idempotencyKey === null
      ? null
      : { keyHash: keyHash(idempotencyKey), requestHash: requestHash({ ...input, owner: owner.publicId }) };
  const created = await createRollout(deps.db, { ...owner, ...input, key, audit });
  switch (created.outcome) {
    case 'not_set':
      throw new Conflict('DEFAULT_WEBHOOK_NOT_SET', 'No default webhook is set. Set one first.');
    case 'key_reused':
      throw new Conflict(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used with another rollout. Use a new key.',
      );
    case 'running': {
      const advice = `Wait until ${created.rolloutId} ends, or cancel it.`;
      throw new Conflict('ROLLOUT_RUNNING', `A rollout of this default webhook is running. ${advice}`);
    }
    case 'created':
    case 'repeated': {
      const { publicId: rolloutId, workspacePublicId: workspaceId } = created.rollout;
      await startRollouts(deps, [{ rolloutId, workspaceId }]);
      return created.rollout;
    }
  }
}

/** If a start fails, a worker starts the rollout later. */
export async function startRollouts(
  { temporal, log }: Pick<ApiDeps, 'log'> & { readonly temporal: Pick<ApiDeps['temporal'], 'rollOutWebhook'> },
  rollouts: readonly RolloutStart[],
): Promise<void> {
  for (const rollout of rollouts) {
    const started = await temporal.rollOutWebhook(rollout);
    if (started.state === 'ended') continue;
    log.warn('rollout.startFailed', { rolloutId: rollout.rolloutId, error: started.cause });
  }
}
