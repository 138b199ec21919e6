import type { Schema } from '../../../client/create-client.ts';

export type MemberKey = Schema<'MemberKey'>;

export function KeyList({ keys }: { readonly keys: readonly MemberKey[] }) {
  if (keys.length === 0) return null;
  return (
    <div class="prose">
      <p>API keys that they know:</p>
      <ul>
        {keys.map(({ keyId, name, relation }) => (
          <li key={keyId}>
            {name} <code>{keyId}</code>
            {relation === 'revealed' && ', created by someone else and revealed to them'}
          </li>
        ))}
      </ul>
    </div>
  );
}
