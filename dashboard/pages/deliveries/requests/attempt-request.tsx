import type { Schema } from '../../../../client/create-client.ts';
import { redactedVariables } from '../../../../contract/deliveries/curl-command.ts';
import { CopyableId } from '../../../kit/copyable.tsx';

interface AttemptRequestProps {
  readonly request: Schema<'SentRequest'>;
}

export function AttemptRequest({ request }: AttemptRequestProps) {
  const { url, headers, bodySha256 } = request;
  const lines = Object.entries(headers);
  const variables = redactedVariables(headers);
  return (
    <div class="answer">
      <p>
        POST <code>{url}</code>
      </p>
      <details open>
        <summary>{lines.length} headers</summary>
        <dl class="headers">
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p>
        SHA-256 of the body: <CopyableId id={bodySha256} what="SHA-256 of the body" />
      </p>
      {variables.length > 0 && (
        <p class="soft">The curl command takes the values that are not recorded from {variables.join(', ')}.</p>
      )}
    </div>
  );
}
