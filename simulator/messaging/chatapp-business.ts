import type { PhoneNumber } from '../consent/accounts.ts';
import type { CallParameters } from '../scripted-api/parameters.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { DEFAULT_BUSINESS_ID, pick } from './chatapp-number.ts';
import { fieldNames } from './state.ts';

const defaultFields = ['id', 'name', 'timezone_id', 'message_template_namespace'];
const fields = [
  ...defaultFields,
  ...['account_review_status', 'business_verification_status', 'country', 'currency', 'ownership_type', 'status'],
  ...['is_enabled_for_insights', 'marketing_messages_lite_api_status', 'marketing_messages_onboarding_status'],
  // Without a value, which the platform omits.
  ...['disable_marketing_messages_on_cloud_api', 'health_status', 'on_behalf_of_business_info'],
  ...['owner_business_info', 'subscribed_apps'],
];

export function isBusinessAccount(numbers: readonly PhoneNumber[], id: string): boolean {
  return id === DEFAULT_BUSINESS_ID || numbers.some(({ businessId }) => businessId === id);
}

/** The business account of a number. */
export function readBusiness(id: string, { values }: CallParameters): JsonObject {
  const facts: JsonObject = {
    id,
    name: `Business ${id.slice(-3)}`,
    timezone_id: '1',
    message_template_namespace: `ns_${id}`,
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    country: 'US',
    currency: 'USD',
    ownership_type: 'CLIENT_OWNED',
    status: 'ACTIVE',
    is_enabled_for_insights: true,
    marketing_messages_lite_api_status: 'INELIGIBLE',
    marketing_messages_onboarding_status: 'INELIGIBLE',
  };
  const names = fieldNames(values) ?? defaultFields;
  return { ...pick(facts, { names, known: fields }), id };
}
