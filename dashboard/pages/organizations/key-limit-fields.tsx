import type { Schema } from '../../../client/create-client.ts';
import { scopes as allScopes } from '../../../contract/identity/scopes.ts';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { WorkspacesField } from './workspaces-field.tsx';

type ApiKey = Schema<'ApiKey'>;

export interface KeyLimits {
  /** Null for full access. */
  readonly scopes: NonNullable<ApiKey['scopes']> | null;
  /** Null for the whole organization. */
  readonly workspaceIds: readonly string[] | null;
  /** One block per line. Empty for any address. */
  readonly cidrs: string;
}

interface KeyLimitFieldsProps {
  readonly org: string;
  readonly limits: KeyLimits;
  readonly onLimits: (limits: KeyLimits) => void;
  /** Optional. A key that exists can only be narrowed. */
  readonly before?: Pick<ApiKey, 'scopes' | 'workspaceIds'>;
}

export function KeyLimitFields({ org, limits, onLimits, before }: KeyLimitFieldsProps) {
  const { cidrs } = limits;
  return (
    <>
      <ScopeFields {...{ org, limits, onLimits }} {...(before && { before })} />
      <WorkspaceFields {...{ org, limits, onLimits }} {...(before && { before })} />
      <TextArea
        label="Allowed addresses"
        hint="Optional. IP addresses or blocks such as 192.0.2.0/24, one per line. The key is refused from any other address."
        rows={2}
        value={cidrs}
        onValue={(text) => onLimits({ ...limits, cidrs: text })}
      />
    </>
  );
}

function ScopeFields({ limits, onLimits, before }: KeyLimitFieldsProps) {
  const { scopes } = limits;
  const choices = before?.scopes ?? allScopes;
  return (
    <>
      {!before?.scopes && (
        <Checkbox
          label="Limit what the key can do"
          isChecked={scopes !== null}
          onChecked={(isLimited) => onLimits({ ...limits, scopes: isLimited ? [] : null })}
        />
      )}
      {scopes !== null && (
        <CheckboxGroup
          legend="Scopes"
          options={choices.map((scope) => [scope, scope] as const)}
          values={scopes}
          onValues={(chosen) => onLimits({ ...limits, scopes: [...chosen] })}
        />
      )}
    </>
  );
}

function WorkspaceFields({ org, limits, onLimits, before }: KeyLimitFieldsProps) {
  const { workspaceIds } = limits;
  return (
    <>
      {!before?.workspaceIds && (
        <Checkbox
          label="Limit to workspaces"
          isChecked={workspaceIds !== null}
          onChecked={(isLimited) => onLimits({ ...limits, workspaceIds: isLimited ? [] : null })}
        />
      )}
      {workspaceIds !== null && (
        <WorkspacesField
          org={org}
          label="Workspaces"
          hint="The key cannot see any other workspace, nor the settings of the organization."
          among={before?.workspaceIds ?? undefined}
          values={workspaceIds}
          onValues={(chosen) => onLimits({ ...limits, workspaceIds: chosen })}
        />
      )}
    </>
  );
}

export function cidrsOf({ cidrs }: KeyLimits): string[] {
  return cidrs.split(/[\s,]+/).filter((one) => one !== '');
}
