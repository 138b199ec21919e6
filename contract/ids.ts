/**
 * A public id is a prefix and eight characters. Ids of events and deliveries are a keyed
 * permutation of the sequence number over the 62^8 space, so these large tables need no second index.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 8;
const SPACE = 62 ** BODY_LENGTH; // below 2^48, so a double represents it exactly
const HALF_BITS = 24;
const HALF_SIZE = 2 ** HALF_BITS;
const ROUNDS = 6;

export const idPrefixes = {
  workspace: 'ws_',
  channel: 'ch_',
  subscription: 'sub_',
  organization: 'org_',
  connectionCredential: 'cred_',
  agentCredential: 'ac_',
  delivery: 'wd_',
  event: 'evt_',
  container: 'ctr_',
  onboardingLink: 'ol_',
  user: 'usr_',
  apiKey: 'key_',
  replay: 'rpl_',
  registration: 'reg_',
  invitation: 'inv_',
  listener: 'lst_',
  connectionNotice: 'ntc_',
  webhookRollout: 'dwr_',
  alert: 'alr_',
  erasure: 'ers_',
  scheduledMessage: 'sm_',
  alertCall: 'alc_',
  scheduledPost: 'sp_',
  portalLink: 'ptl_',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type SequencedKind = 'event' | 'delivery';

const patterns = Object.fromEntries(
  Object.entries(idPrefixes).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}[A-Za-z0-9]{8}$`)]),
) as Record<IdKind, RegExp>;

export function idPattern(kind: IdKind): RegExp {
  return patterns[kind];
}

export function isId(kind: IdKind, value: unknown): value is string {
  return typeof value === 'string' && patterns[kind].test(value);
}

/** Skips bytes from 248, so that all characters are equally likely. */
export function randomId(kind: IdKind, randomBytes: (count: number) => Uint8Array): string {
  let body = '';
  while (body.length < BODY_LENGTH) {
    for (const byte of randomBytes(BODY_LENGTH * 2)) {
      if (byte >= 248 || body.length === BODY_LENGTH) continue;
      body += ALPHABET[byte % 62];
    }
  }
  return idPrefixes[kind] + body;
}

/** Six 32-bit round keys per kind, so that equal numbers have unrelated ids. */
export interface IdKey {
  readonly event: readonly number[];
  readonly delivery: readonly number[];
}

/** @param bytes 48 random bytes, which an installation never changes */
export function idKeyFrom(bytes: Uint8Array): IdKey {
  if (bytes.length !== ROUNDS * 4 * 2) throw new Error(`An id key requires ${ROUNDS * 8} bytes, got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = Array.from({ length: ROUNDS * 2 }, (_, index) => view.getUint32(index * 4));
  return { event: words.slice(0, ROUNDS), delivery: words.slice(ROUNDS) };
}

export function sequencedId(key: IdKey, kind: SequencedKind, sequence: number): string {
  if (!Number.isSafeInteger(sequence) || sequence < 0 || sequence >= SPACE) {
    throw new RangeError(`Sequence ${sequence} is outside the id space`);
  }
  let value = sequence;
  do value = permute(key[kind], value);
  while (value >= SPACE); // cycle-walking
  return idPrefixes[kind] + encode(value);
}

export function sequenceOf(key: IdKey, kind: SequencedKind, id: string): number | undefined {
  if (!isId(kind, id)) return undefined;
  let value = decode(id.slice(idPrefixes[kind].length));
  do value = unpermute(key[kind], value);
  while (value >= SPACE);
  return value;
}

function permute(keys: readonly number[], value: number): number {
  let left = Math.floor(value / HALF_SIZE);
  let right = value % HALF_SIZE;
  for (const key of keys) [left, right] = [right, left ^ mix(right, key)];
  return left * HALF_SIZE + right;
}

function unpermute(keys: readonly number[], value: number): number {
  let left = Math.floor(value / HALF_SIZE);
  let right = value % HALF_SIZE;
  for (const key of [...keys].reverse()) [left, right] = [right ^ mix(left, key), left];
  return left * HALF_SIZE + right;
}

/** The finalizer of MurmurHash3 over half and key, cut to 24 bits. */
function mix(half: number, key: number): number {
  let hash = (half ^ key) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % HALF_SIZE;
}

function encode(value: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < BODY_LENGTH; index++) {
    text = ALPHABET[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function decode(text: string): number {
  let value = 0;
  for (const character of text) value = value * 62 + ALPHABET.indexOf(character);
  return value;
}

export const deliveryWorkflowId = (deliveryId: string): string => `delivery/${deliveryId}`;
/** Marks the namespace as the installation's. */
export const installationWorkflowId = 'installation';
/** @param holder the worker whose pump it shows */
export const deliveryPumpWorkflowId = (holder: string): string => `delivery-pump/${holder}`;
/** @param name `webhook-<channel>` or a subscription's id */
export const destinationCircuitWorkflowId = (name: string): string => `destination/${name}`;
export const webhookSaveWorkflowId = (channelId: string, candidateId: number): string =>
  `webhook-save/${channelId}/${candidateId}`;
export const webhookRolloutWorkflowId = (rolloutId: string): string => `webhook-rollout/${rolloutId}`;
export const channelTokenWorkflowId = (channelId: string): string => `channel-token/${channelId}`;
export const channelHealthWorkflowId = (channelId: string): string => `channel-health-check/${channelId}`;
export const credentialWorkflowId = (credentialId: string): string => `credential/${credentialId}`;
export const containerWorkflowId = (containerId: string): string => `container/${containerId}`;
export const replayWorkflowId = (replayId: string): string => `replay/${replayId}`;
export const scheduledWorkflowId = (scheduledId: string): string =>
  `${isId('scheduledMessage', scheduledId) ? 'scheduled-message' : 'scheduled-post'}/${scheduledId}`;
export const registrationWorkflowId = (registrationId: string): string => `registration/${registrationId}`;

const DELIVERY_WORKFLOW = /^delivery\/(wd_[A-Za-z0-9]{8})$/;

export function deliveryIdOfWorkflow(workflowId: string): string | undefined {
  return DELIVERY_WORKFLOW.exec(workflowId)?.[1];
}

const CIRCUIT_WORKFLOW = /^destination\/(.+)$/;

export function circuitNameOfWorkflow(workflowId: string): string | undefined {
  return CIRCUIT_WORKFLOW.exec(workflowId)?.[1];
}

const CONTAINER_WORKFLOW = /^container\/(ctr_[A-Za-z0-9]{8})$/;

export function containerIdOfWorkflow(workflowId: string): string | undefined {
  return CONTAINER_WORKFLOW.exec(workflowId)?.[1];
}

const SCHEDULED_WORKFLOW = /^scheduled-(?:message|post)\/(s[mp]_[A-Za-z0-9]{8})$/;

export function scheduledIdOfWorkflow(workflowId: string): string | undefined {
  return SCHEDULED_WORKFLOW.exec(workflowId)?.[1];
}

const REPLAY_WORKFLOW = /^replay\/(rpl_[A-Za-z0-9]{8})$/;

export function replayIdOfWorkflow(workflowId: string): string | undefined {
  return REPLAY_WORKFLOW.exec(workflowId)?.[1];
}
