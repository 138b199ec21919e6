/**
 * Search attributes of workflows, all of type Keyword. The names are stored in histories and registered with the Temporal
 * server, so they cannot change. Temporal allows at most ten.
 */
export const searchAttributes = {
  workspace: 'ServiceWorkspaceId',
  channel: 'ServiceChannelId',
  destination: 'ServiceDestination',
  eventType: 'ServiceEventType',
  state: 'ServiceState',
} as const;
