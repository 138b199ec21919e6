/**
 * Task queues are wire format: a name may be added, never changed. The pumps have a queue of their own, so that
 * minutes-long pump activities never take the slots of everything else.
 */
export const taskQueues = { main: 'service', pump: 'delivery-pump' } as const;
