/** Stored in histories. Pumps have a separate queue, so that they do not occupy all slots. */
export const taskQueues = { main: 'service', pump: 'delivery-pump' } as const;

/** The queue of one worker process, which alone can show its own pumps. */
export const pumpQueueOf = (holder: string): string => `${taskQueues.pump}/${holder}`;
