import { insertTestCall } from '../../db/alerts/alert-calls.ts';
import { type OrganizationKey, rotateAlertSecret } from '../../db/alerts/webhook-secrets.ts';
import {
  deleteAlertWebhook,
  findAlertWebhook,
  findAttemptedCall,
  type LastAlertCall,
  saveAlertWebhook,
} from '../../db/alerts/webhooks.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import {
  type AlertWebhookBody,
  type AlertWebhookDeliveryBody,
  alertWebhookRoutes as routes,
} from '../../openapi/alerts/webhook-routes.ts';
import { auditContext } from '../access/audit-context.ts';
import type { OrganizationScope } from '../access/tenancy.ts';
import { takeUrlTurn } from '../../db/replays/delivery-turns.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, OutcomeUnknown } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { keyHash } from '../routing/request-hash.ts';
import { runStaged } from '../routing/run-staged.ts';

export function mountAlertWebhookRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox } = deps;

  mountOperation(mount, routes.getAlertWebhook, (request) => read(deps, keyOf(request)));

  mountOperation(mount, routes.setAlertWebhook, async (request) => {
    const { body } = request;
    const key = keyOf(request);
    const values = { ...body, url: parseUrl(deps, body.url) };
    const secret = await saveAlertWebhook(db, secretBox, { ...key, ...values, audit: auditContext(request) });
    return { ...(await read(deps, key)), secret };
  });

  mountOperation(mount, routes.deleteAlertWebhook, async (request) => {
    await deleteAlertWebhook(db, { ...keyOf(request), audit: auditContext(request) });
  });

  mountOperation(mount, routes.rotateAlertWebhookSecret, async (request) => {
    const { idempotencyKey, body } = request;
    const key = keyOf(request);
    const rotated = await rotateAlertSecret(db, secretBox, {
      ...key,
      overlapSeconds: body.overlapSeconds,
      idempotencyKeyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
      audit: auditContext(request),
    });
    if (rotated === 'not_set') throw notSet();
    if (rotated === 'key_reused') {
      const message = 'This Idempotency-Key was used with another overlapSeconds. Use a new key.';
      throw new Conflict('IDEMPOTENCY_KEY_REUSED', message);
    }
    const { secret, previousExpiresAt } = rotated;
    const previousSecretExpiresAt = previousExpiresAt?.toISOString() ?? null;
    return { organizationId: key.organizationPublicId, secret, previousSecretExpiresAt };
  });

  mountOperation(mount, routes.testAlertWebhook, async (request) => {
    return { delivery: await test(deps, keyOf(request), auditContext(request)) };
  });
}

interface OrganizationRequest {
  readonly organization: OrganizationScope;
  readonly params: { readonly org: string };
}

function keyOf({ organization, params }: OrganizationRequest): OrganizationKey {
  return { organizationId: organization.id, organizationPublicId: params.org };
}

function notSet(): Conflict {
  return new Conflict('ALERT_WEBHOOK_NOT_SET', 'The organization has no alert webhook. Set one first.');
}

async function read({ db }: ApiDeps, key: OrganizationKey): Promise<AlertWebhookBody> {
  const { organizationId, organizationPublicId } = key;
  const webhook = await findAlertWebhook(db, organizationId);
  if (!webhook) return { organizationId: organizationPublicId, ...unset };
  const call = await findAttemptedCall(db, organizationId);
  const { url, enabled, minSeverity, kinds, previousSecretExpiresAt, createdAt, updatedAt } = webhook;
  return {
    ...{ organizationId: organizationPublicId, url, enabled, minSeverity, kinds: kinds && [...kinds] },
    previousSecretExpiresAt: previousSecretExpiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    lastDelivery: call ? presentDelivery(call) : null,
  };
}

const unset = {
  ...({ url: null, enabled: false, minSeverity: 'warning', kinds: null } as const),
  ...{ previousSecretExpiresAt: null, createdAt: null, updatedAt: null, lastDelivery: null },
};

function presentDelivery(call: LastAlertCall): AlertWebhookDeliveryBody {
  return {
    callId: call.publicId,
    type: call.type,
    at: call.at.toISOString(),
    attempts: call.attemptCount,
    outcome: call.outcome ?? 'retrying',
    status: call.status,
    error: call.error,
    nextAttemptAt: call.nextAttemptAt?.toISOString() ?? null,
  };
}

/** A workflow sends the call, because the API calls no URLs that users supply. */
async function test(deps: ApiDeps, key: OrganizationKey, audit: AuditContext): Promise<AlertWebhookDeliveryBody> {
  const { db, log, temporal } = deps;
  const { organizationId, organizationPublicId: targetId } = key;
  const webhook = await findAlertWebhook(db, organizationId);
  if (!webhook) throw notSet();
  await takeUrlTurn(db, webhook.url);
  const callId = await db.transaction(async (trx) => {
    const inserted = await insertTestCall(trx, { organizationId });
    if (inserted !== undefined) await recordAudit(trx, { ...audit, action: 'alertWebhook.tested', targetId });
    return inserted;
  });
  if (callId === undefined) throw notSet();
  return await runStaged({
    run: () => temporal.sendNotification({ notificationId: callId, isTest: true }),
    logUnanswered: ({ cause: error }) => log.warn('alertWebhookTest.unanswered', { callId, error }),
    giveUp: (state) => state === 'not_started',
    decide: async () => {
      const attempted = await findAttemptedCall(db, organizationId, callId);
      return attempted && presentDelivery(attempted);
    },
    unknown: () =>
      new OutcomeUnknown('The test did not end in time. The call may or may not have been sent. Check your receiver.'),
  });
}
