/** Stored in histories. Pumps have a separate queue, so that they do not occupy all slots. */
export const taskQueues = { main: 'service', pump: 'delivery-pump' } as const;
