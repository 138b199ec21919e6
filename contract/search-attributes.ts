/** Type Keyword. Stored in histories and registered with the server; at most ten. */
export const searchAttributes = {
  organization: 'ServiceOrganizationId',
  workspace: 'ServiceWorkspaceId',
  channel: 'ServiceChannelId',
  destination: 'ServiceDestination',
  eventType: 'ServiceEventType',
  state: 'ServiceState',
  /** The activity that keeps failing. Unset while the run makes progress. */
  blockedBy: 'ServiceBlockedBy',
} as const;
