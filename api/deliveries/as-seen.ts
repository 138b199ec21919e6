import type { DeliveryBody, DeliverySummaryBody } from '../../openapi/deliveries/schema.ts';
import type { DeliveryListItemBody } from '../../openapi/deliveries/list-schema.ts';
import { hideWebhook } from '../access/hide-webhook.ts';
import type { Principal } from '../requests/state.ts';

type Seen = DeliverySummaryBody & Partial<Pick<DeliveryBody, 'attempts'>> & Pick<DeliveryListItemBody, 'lastAttempt'>;

/** Hides from a portal the address of the webhook, also as it was, and who of the organization cancelled a delivery. */
export function asSeen<Delivery extends Seen>(
  { principal }: { readonly principal: Principal },
  delivery: Delivery,
): Delivery {
  const { destination, cancellation, attempts, lastAttempt } = delivery;
  if (!principal.portal) return delivery;
  const isHidden = destination?.type !== 'subscription';
  return {
    ...delivery,
    destination: destination && hideWebhook(principal, destination),
    cancellation: cancellation && { ...cancellation, by: cancellation.by?.type === 'portal' ? cancellation.by : null },
    ...(attempts && isHidden && { attempts: attempts.map((attempt) => ({ ...attempt, url: null })) }),
    ...(lastAttempt && isHidden && { lastAttempt: { ...lastAttempt, url: null } }),
  };
}
