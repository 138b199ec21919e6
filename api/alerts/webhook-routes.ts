import { insertTestCall } from '../../db/alerts/alert-calls.ts';
import {
  deleteAlertWebhook,
  findAlertWebhook,
  findAttemptedCall,
  type LastAlertCall,
  type OrganizationKey,
  rotateAlertSecret,
  saveAlertWebhook,
} from '../../db/alerts/webhooks.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { type AlertWebhookBody, alertWebhookRoutes as routes } from '../../openapi/alerts/webhook-routes.ts';
import { auditContext } from '../access/audit-context.ts';
import type { OrganizationScope } from '../access/tenancy.ts';
import { takeUrlTurn } from '../../db/replays/delivery-turns.ts';
import type { Presentable } from '../routing/present-answer.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, KeyReused, OutcomeUnknown } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { keyHash } from '../routing/request-hash.ts';
import { runStaged } from '../routing/run-staged.ts';

export function mountAlertWebhookRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox } = deps;

  mountRoute(mount, routes.getAlertWebhook, (request) => read(deps, keyOf(request)));

  mountRoute(mount, routes.setAlertWebhook, async (request) => {
    const { body } = request;
    const key = keyOf(request);
    const values = { ...body, url: parseUrl(deps, 'url', body.url) };
    const secret = await saveAlertWebhook(db, secretBox, { ...key, ...values, audit: auditContext(request) });
    return { ...(await read(deps, key)), secret };
  });

  mountRoute(mount, routes.deleteAlertWebhook, async (request) => {
    await deleteAlertWebhook(db, { ...keyOf(request), audit: auditContext(request) });
  });

  mountRoute(mount, routes.rotateAlertWebhookSecret, async (request) => {
    const { idempotencyKey, body } = request;
    const key = keyOf(request);
    const rotated = await rotateAlertSecret(db, secretBox, {
      ...key,
      overlapSeconds: body.overlapSeconds,
      idempotencyKeyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
      audit: auditContext(request),
    });
    if (rotated === 'not_set') throw notSet();
    if (!rotated) {
      throw new KeyReused('overlapSeconds');
    }
    const { secret, previousExpiresAt: previousSecretExpiresAt } = rotated;
    return { organizationId: key.organizationPublicId, secret, previousSecretExpiresAt };
  });

  mountRoute(mount, routes.testAlertWebhook, async (request) => {
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

async function read({ db }: ApiDeps, key: OrganizationKey): Promise<Presentable<AlertWebhookBody>> {
  const { organizationId, organizationPublicId } = key;
  const webhook = await findAlertWebhook(db, organizationId);
  if (!webhook) return { organizationId: organizationPublicId, ...unset };
  const call = await findAttemptedCall(db, organizationId);
  return { ...webhook, organizationId: organizationPublicId, lastDelivery: call ? presentDelivery(call) : null };
}

const unset = {
  url: null,
  enabled: false,
  minSeverity: 'warning',
  kinds: null,
  previousSecretExpiresAt: null,
  createdAt: null,
  updatedAt: null,
  lastDelivery: null,
} as const;

function presentDelivery(call: LastAlertCall) {
  return {
    ...call,
    callId: call.publicId,
    attempts: call.attemptCount,
    outcome: call.outcome ?? ('retrying' as const),
  };
}

/** A workflow sends the call, because the API calls no URLs that users supply. */
async function test(deps: ApiDeps, key: OrganizationKey, audit: AuditContext) {
  const { db, log, starts } = deps;
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
    run: () => starts.sendNotification({ notificationId: callId, isTest: true }),
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
