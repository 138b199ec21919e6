import type { PathParameter, PublicIdParameter } from './route-definition.ts';

const publicIds: Readonly<Record<string, PublicIdParameter>> = {
  alr: { kind: 'alert', notFound: 'ALERT_NOT_FOUND' },
  ac: { kind: 'agentCredential', notFound: 'CREDENTIAL_NOT_FOUND' },
  ch: { kind: 'channel', notFound: 'CHANNEL_NOT_FOUND' },
  ctr: { kind: 'container', notFound: 'CONTAINER_NOT_FOUND' },
  dwr: { kind: 'webhookRollout', notFound: 'ROLLOUT_NOT_FOUND' },
  ers: { kind: 'erasure', notFound: 'ERASURE_NOT_FOUND' },
  inv: { kind: 'invitation', notFound: 'INVITATION_NOT_FOUND' },
  key: { kind: 'apiKey', notFound: 'CREDENTIAL_NOT_FOUND' },
  lst: { kind: 'listener', notFound: 'LISTENER_NOT_FOUND' },
  ol: { kind: 'onboardingLink', notFound: 'ONBOARDING_LINK_NOT_FOUND' },
  org: { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' },
  ptl: { kind: 'portalLink', notFound: 'PORTAL_LINK_NOT_FOUND' },
  rpl: { kind: 'replay', notFound: 'REPLAY_NOT_FOUND' },
  sm: { kind: 'scheduledMessage', notFound: 'SCHEDULED_MESSAGE_NOT_FOUND' },
  sp: { kind: 'scheduledPost', notFound: 'SCHEDULED_POST_NOT_FOUND' },
  sub: { kind: 'subscription', notFound: 'SUBSCRIPTION_NOT_FOUND' },
  usr: { kind: 'user', notFound: 'MEMBER_NOT_FOUND' },
  wd: { kind: 'delivery', notFound: 'DELIVERY_NOT_FOUND' },
  ws: { kind: 'workspace', notFound: 'WORKSPACE_NOT_FOUND' },
};

export type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Throws for an unknown name. */
export function pathParameters(
  path: string,
  platformIds: Readonly<Record<string, PathParameter>> = {},
): Record<string, PathParameter> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, parameterNamed(name, platformIds)]));
}

function parameterNamed(name: string, platformIds: Readonly<Record<string, PathParameter>>): PathParameter {
  const parameter = platformIds[name] ?? publicIds[name];
  if (!parameter)
    throw new Error(`Unknown path parameter {${name}}. Add it to publicIds or to the route's platformIds.`);
  return parameter;
}
