/**
 * How many of each thing an organization or a person may have. An organization that a person has made by signing in gets
 * `selfMade`; one that the operator has made, whose size somebody has agreed to, gets `byOperator`. The operator raises
 * or lowers a limit of one organization with `admin set-limit`. Each is checked in the transaction that adds the thing,
 * under a lock on its owner. Limits of a channel stand with their things: MAX_SUBSCRIPTIONS, MAX_LISTENERS.
 */
interface OrganizationLimitDefinition {
  readonly selfMade: number;
  readonly byOperator: number;
  /** What there are so many of, to stand behind the number. */
  readonly things: string;
  /** How room is made. */
  readonly remedy: string;
}

export const organizationLimits = {
  // Customers are workspaces: an agency may have tens of thousands.
  workspaces: {
    selfMade: 100,
    byOperator: 100_000,
    things: 'workspaces and customers',
    remedy: 'Delete workspaces that are not used',
  },
  apiKeys: { selfMade: 100, byOperator: 1_000, things: 'API keys', remedy: 'Revoke keys that are not used' },
  agentCredentials: {
    selfMade: 100,
    byOperator: 1_000,
    things: 'agent credentials',
    remedy: 'Revoke credentials that are not used',
  },
  // One for each customer.
  onboardingLinks: {
    selfMade: 100,
    byOperator: 100_000,
    things: 'onboarding links',
    remedy: 'Revoke links that are not used',
  },
  members: { selfMade: 100, byOperator: 10_000, things: 'members', remedy: 'Remove members' },
  openInvitations: {
    selfMade: 20,
    byOperator: 1_000,
    things: 'open invitations',
    remedy: 'Revoke invitations that nobody will accept',
  },
  runningReplays: {
    selfMade: 10,
    byOperator: 50,
    things: 'replays that have not ended',
    remedy: 'Wait for one to end, or cancel one',
  },
} as const satisfies Record<string, OrganizationLimitDefinition>;

export type OrganizationLimit = keyof typeof organizationLimits;

export const organizationLimitNames = Object.keys(organizationLimits) as OrganizationLimit[];

/**
 * Also what was deleted or revoked again counts for a day, against so many times the limit: tables must not grow without
 * bound by things that come and go.
 */
export const MADE_PER_DAY_FACTOR = 10;

export const personLimits = {
  organizations: {
    max: 10,
    things: 'organizations of their own making',
    remedy: 'Ask to be invited to an organization again',
  },
  apiKeys: { max: 200, things: 'API keys in all organizations', remedy: 'Revoke keys that are not used' },
  agentCredentials: {
    max: 50,
    things: 'agent credentials in all organizations',
    remedy: 'Revoke credentials that are not used',
  },
} as const satisfies Record<string, { readonly max: number; readonly things: string; readonly remedy: string }>;

export type PersonLimit = keyof typeof personLimits;

export type ReachedLimit =
  | { readonly of: 'organization'; readonly limit: OrganizationLimit; readonly max: number; readonly isDaily: boolean }
  | { readonly of: 'person'; readonly limit: PersonLimit; readonly max: number };

/** What was reached, and what to do about it. */
export function limitMessage(reached: ReachedLimit): string {
  if (reached.of === 'person') {
    const { things, remedy } = personLimits[reached.limit];
    return `A person has at most ${reached.max} ${things}. ${remedy}.`;
  }
  const { limit, max, isDaily } = reached;
  const { things, remedy } = organizationLimits[limit];
  const raise = `or ask the operator of this service to raise the limit \`${limit}\``;
  if (isDaily) return `This organization may make ${max} ${things} a day. Try again tomorrow, ${raise}.`;
  return `This organization may have ${max} ${things}. ${remedy}, ${raise}.`;
}
