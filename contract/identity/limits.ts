/**
 * `selfMade` applies to organizations created by signing in, `byOperator` to the others. The operator can change single
 * limits with `admin set-limit`. Checked in the transaction that adds the resource, under a lock on its owner.
 */
interface OrganizationLimitDefinition {
  readonly selfMade: number;
  readonly byOperator: number;
  readonly things: string;
  readonly remedy: string;
}

export const organizationLimits = {
  // Each customer is a workspace.
  workspaces: {
    selfMade: 100,
    byOperator: 100_000,
    things: 'workspaces and customers',
    remedy: 'Delete unused workspaces',
  },
  apiKeys: { selfMade: 100, byOperator: 1_000, things: 'API keys', remedy: 'Revoke unused keys' },
  agentCredentials: {
    selfMade: 100,
    byOperator: 1_000,
    things: 'agent credentials',
    remedy: 'Revoke unused credentials',
  },
  onboardingLinks: {
    selfMade: 100,
    byOperator: 100_000,
    things: 'onboarding links that have not ended',
    remedy: 'Revoke unused links',
  },
  portalLinks: {
    selfMade: 1_000,
    byOperator: 10_000,
    things: 'portal links that have not ended',
    remedy: 'Revoke unused links',
  },
  members: { selfMade: 100, byOperator: 10_000, things: 'members', remedy: 'Remove members' },
  openInvitations: {
    selfMade: 20,
    byOperator: 1_000,
    things: 'open invitations',
    remedy: 'Revoke invitations that are no longer needed',
  },
  runningReplays: {
    selfMade: 10,
    byOperator: 50,
    things: 'running replays',
    remedy: 'Wait for a replay to end or cancel one',
  },
} as const satisfies Record<string, OrganizationLimitDefinition>;

export type OrganizationLimit = keyof typeof organizationLimits;

export const organizationLimitNames = Object.keys(organizationLimits) as OrganizationLimit[];

/** Bounds the resources created per day, including deleted ones, so that create and delete loops do not grow tables. */
export const CREATED_PER_DAY_FACTOR = 10;

export const personLimits = {
  organizations: {
    max: 10,
    things: 'organizations that they created',
    remedy: 'Ask for an invitation to an existing organization',
  },
  apiKeys: { max: 200, things: 'API keys in all organizations', remedy: 'Revoke unused keys' },
  agentCredentials: {
    max: 50,
    things: 'agent credentials in all organizations',
    remedy: 'Revoke unused credentials',
  },
} as const satisfies Record<string, { readonly max: number; readonly things: string; readonly remedy: string }>;

export type PersonLimit = keyof typeof personLimits;

/** The replays that the customers of one workspace start through portals, so that they leave room for the organization. */
export const MAX_PORTAL_REPLAYS = 2;

/**
 * Per workspace and day: single replays, retries and test events that its customers request through portals. Half of
 * them at once.
 */
export const MAX_PORTAL_DELIVERIES = 200;

export type ReachedLimit =
  | { readonly of: 'portal'; readonly max: number; readonly isDaily: boolean }
  | { readonly of: 'organization'; readonly limit: OrganizationLimit; readonly max: number; readonly isDaily: boolean }
  | { readonly of: 'person'; readonly limit: PersonLimit; readonly max: number };

export function limitMessage(reached: ReachedLimit): string {
  if (reached.of === 'portal') {
    const { max, isDaily } = reached;
    if (isDaily) return `You can start at most ${max} replays per day here. Try again tomorrow.`;
    return `You can run at most ${max} replays at a time here. Wait for a replay to end or cancel one.`;
  }
  if (reached.of === 'person') {
    const { things, remedy } = personLimits[reached.limit];
    return `A person can have at most ${reached.max} ${things}. ${remedy}.`;
  }
  const { limit, max, isDaily } = reached;
  const { things, remedy } = organizationLimits[limit];
  const raise = `or ask the operator of this service to raise the limit \`${limit}\``;
  if (isDaily) return `This organization can create at most ${max} ${things} per day. Try again tomorrow, ${raise}.`;
  return `This organization can have at most ${max} ${things}. ${remedy}, ${raise}.`;
}
