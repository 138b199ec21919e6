import { searchAttributes } from '../contract/search-attributes.ts';
import { taskQueues } from '../contract/task-queues.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import type { StartInputs, StartedName, StartKind, StartRow } from './start-row.ts';
import { workflowTable } from './workflow-table.ts';

export type StartedBy<Kind extends StartKind> = {
  [Name in StartedName]: Kind extends (typeof workflowTable)[Name]['kinds'][number] ? Name : never;
}[StartedName];

/** Returns the public id of the organization to which a workspace, or something else with a public id, belongs. */
export type OrganizationOf = (id: string) => Promise<string | undefined>;

/** Widens the literal types, so that a generic name selects its row. */
const rows: { readonly [Name in StartedName]: StartRow<Name> } = workflowTable;

export async function startOptions<Name extends StartedName>(
  name: Name,
  { input, organizationOf }: { readonly input: StartInputs[Name]; readonly organizationOf: OrganizationOf | undefined },
) {
  const row = rows[name];
  const keywords = await withOrganization(row.keywords?.(input), { subjectId: row.subjectId?.(input), organizationOf });
  return {
    taskQueue: taskQueues.main,
    workflowId: row.workflowId(input),
    ...row.policy,
    ...(row.executionTimeout && { workflowExecutionTimeout: row.executionTimeout }),
    args: row.args(input),
    staticSummary: row.summary(input),
    ...(keywords && { typedSearchAttributes: keywordAttributes(keywords) }),
  };
}

/** A workflow starts without the attribute while the database does not answer. */
async function withOrganization(
  keywords: Readonly<Record<string, string>> | undefined,
  {
    subjectId,
    organizationOf,
  }: { readonly subjectId: string | undefined; readonly organizationOf: OrganizationOf | undefined },
): Promise<Readonly<Record<string, string>> | undefined> {
  const id = subjectId ?? keywords?.[searchAttributes.workspace];
  if (id === undefined) return keywords;
  const organizationId = await organizationOf?.(id).catch(() => undefined);
  return organizationId === undefined ? keywords : { [searchAttributes.organization]: organizationId, ...keywords };
}

/** Default deadline of a start. A worker must not hang while Temporal is down. */
export const CALL_DEADLINE_MS = 5_000;

export function startDeadlineMs(name: StartedName): number {
  return rows[name].deadlineMs ?? CALL_DEADLINE_MS;
}
