/**
 * Stored in histories. Workflows and short statements use `main`. The views of pumps and the activities that can occupy a
 * slot for long have queues with slots of their own, so that one kind never delays another.
 */
export const taskQueues = {
  main: 'service',
  /** What a person waits for: webhook saves, test events and checks. The API gives each organization a share. */
  interactive: 'service-interactive',
  /** Sign-in codes. An email takes up to 40 s. */
  codes: 'service-codes',
  /** Other emails: invitations and alerts. */
  mails: 'service-mails',
  /** Calls to receivers in the background. They may not respond for 10 s. */
  receivers: 'service-receivers',
  /** Containers, scheduled messages and credentials: calls to the platform of up to 30 s each. */
  media: 'service-media',
  /** Replays, retention and invariants: work that runs for minutes. */
  upkeep: 'service-upkeep',
} as const;

export type ActivityQueue = Exclude<keyof typeof taskQueues, 'main'>;

/** The queue of one worker process, which alone can show its pump. */
export const pumpQueueOf = (holder: string): string => `delivery-pump/${holder}`;
