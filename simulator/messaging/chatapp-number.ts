import type { NumberFacts, PhoneNumber } from '../consent/accounts.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import { unknownField } from './refusals.ts';
import { fieldNames } from './state.ts';
import type { JsonObject } from '../webhooks/item.ts';

export const DEFAULT_BUSINESS_ID = '400000000000002';

export function numberOf(numbers: readonly PhoneNumber[], id: string): PhoneNumber {
  const known = numbers.find((each) => each.id === id);
  if (known) return known;
  const digits = id.replace(/\D/g, '').slice(-7).padStart(7, '0');
  const number = `+1 555 ${digits.slice(0, 3)} ${digits.slice(3)}`;
  return { id, businessId: DEFAULT_BUSINESS_ID, number, name: `Number ${id}` };
}

const defaultNumberFields = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'id',
];
const LIMIT_FIELD = 'whatsapp_business_manager_messaging_limit';
const numberFields = [
  ...defaultNumberFields,
  ...['platform_type', 'name_status', 'status', 'throughput', 'messaging_limit_tier'],
  LIMIT_FIELD,
  ...['account_mode', 'country_code', 'country_dial_code', 'is_on_biz_app', 'is_official_business_account'],
  ...['is_pin_enabled', 'is_preverified_number', 'quality_score', 'search_visibility'],
  // Without a value, which the platform omits.
  ...['conversational_automation', 'new_name_status', 'eligibility_for_api_business_global_search'],
  ...['health_status', 'last_onboarded_time', 'certificate', 'new_certificate', 'webhook_configuration'],
];

export function namesNumberFields(fields: string): boolean {
  return fields.split(',').some((field) => numberFields.includes(field.trim()) && !sharedFields.includes(field.trim()));
}
const sharedFields = ['id', 'status'];

export function readNumber(
  { id, number, name }: PhoneNumber,
  { values, given }: { readonly values: JsonObject; readonly given: NumberFacts },
): JsonObject {
  const facts: JsonObject = {
    verified_name: name,
    code_verification_status: given.codeStatus ?? 'VERIFIED',
    display_phone_number: number,
    quality_rating: given.quality ?? 'GREEN',
    platform_type: given.platformType ?? (given.status === 'PENDING' ? 'NOT_APPLICABLE' : 'CLOUD_API'),
    name_status: given.nameStatus ?? 'APPROVED',
    status: given.status ?? 'CONNECTED',
    throughput: { level: given.throughput ?? 'STANDARD' },
    [LIMIT_FIELD]: given.tier ?? 'TIER_1K',
    // The earlier name of the limit, which no longer has a value.
    messaging_limit_tier: null,
    account_mode: 'LIVE',
    country_code: 'US',
    country_dial_code: '1',
    is_on_biz_app: given.isOnApp ?? false,
    is_official_business_account: false,
    is_pin_enabled: given.pin !== undefined,
    is_preverified_number: false,
    quality_score: { score: given.quality ?? 'GREEN' },
    search_visibility: 'NON_VISIBLE',
    id,
  };
  const names = fieldNames(values) ?? defaultNumberFields;
  return { ...pick(facts, { names, known: numberFields }), id };
}

/** Maximum characters. */
const profileTexts: Readonly<Record<string, number>> = {
  about: 139,
  address: 256,
  description: 512,
  email: 128,
  vertical: 50,
  profile_picture_url: 2_048,
  profile_picture_handle: 2_048,
};

export function readProfile(profile: JsonObject, { values, word }: { values: JsonObject; word: string }): JsonObject {
  const names = fieldNames(values) ?? [];
  const unknown = names.find((name) => !(name in profileTexts) && name !== 'websites' && name !== 'messaging_product');
  if (unknown !== undefined) throw unknownField(unknown);
  const shown = Object.fromEntries(
    Object.entries({ vertical: 'UNDEFINED', ...profile }).filter(([name]) => names.includes(name)),
  );
  return { data: [{ ...shown, messaging_product: word }] };
}

/** Omitted fields keep their value. */
export function changedProfile(profile: JsonObject, values: JsonObject): JsonObject {
  const { messaging_product: _product, access_token: _token, appsecret_proof: _proof, ...changes } = values;
  for (const [name, value] of Object.entries(changes)) {
    if (name === 'websites') checkWebsites(value);
    else checkText(name, value);
  }
  const { profile_picture_handle: handle, ...texts } = changes;
  return {
    ...profile,
    ...texts,
    ...(typeof handle === 'string' && { profile_picture_url: `https://pictures.example/${handle}` }),
  };
}

function checkText(name: string, value: unknown): void {
  const max = Object.hasOwn(profileTexts, name) ? profileTexts[name] : undefined;
  if (max === undefined) throw invalidParameter(`Unexpected key "${name}".`);
  if (typeof value !== 'string' || [...value].length > max) {
    throw invalidParameter(`Param ${name} must be a string of at most ${max} characters.`);
  }
}

function checkWebsites(value: unknown): void {
  const isFine =
    Array.isArray(value) && value.length <= 2 && value.every((each) => typeof each === 'string' && each.length <= 256);
  if (!isFine) throw invalidParameter('Param websites must be a list of at most two addresses.');
}

/** Omits known fields without a value. */
export function pick(
  facts: JsonObject,
  { names, known }: { readonly names: readonly string[]; readonly known: readonly string[] },
): JsonObject {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownField(unknown);
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(facts, name) ? [[name, facts[name]]] : [])));
}
