/**
 * The names are stored in histories and cannot change. Pumps have their own queue, so that their long activities never
 * occupy the slots of other activities.
 */
export const taskQueues = { main: 'service', pump: 'delivery-pump' } as const;
