/** Type Keyword. Stored in histories and registered with the server; at most ten. */
export const searchAttributes = {
  workspace: 'ServiceWorkspaceId',
  channel: 'ServiceChannelId',
  destination: 'ServiceDestination',
  eventType: 'ServiceEventType',
  state: 'ServiceState',
} as const;
