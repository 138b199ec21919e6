export const usageLevels = ['organization', 'workspace', 'channel'] as const;
export type UsageLevel = (typeof usageLevels)[number];

export const usageSteps = ['day', 'month'] as const;
export type UsageStep = (typeof usageSteps)[number];

export const usageCounts = ['events', 'deliveries', 'attempts', 'sends', 'publishes'] as const;
