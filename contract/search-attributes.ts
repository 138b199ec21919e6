/**
 * Search attributes of workflows, all of type Keyword. The names are stored in histories and registered with the
 * Temporal server: they are wire format, may be added to (at most ten), never changed.
 */
export const searchAttributes = {
  workspace: 'ServiceWorkspaceId',
  channel: 'ServiceChannelId',
  destination: 'ServiceDestination',
  eventType: 'ServiceEventType',
  state: 'ServiceState',
} as const;
