export const auditActorTypes = ['user', 'api_key', 'agent', 'staff', 'portal', 'system'] as const;
export type AuditActorType = (typeof auditActorTypes)[number];
