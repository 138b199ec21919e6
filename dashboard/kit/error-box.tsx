import { ApiError } from '../../client/errors.ts';
import { Button } from './button.tsx';
import { CopyableId } from './copyable.tsx';
import { Icon } from './icon.tsx';

interface ErrorBoxProps {
  readonly error: Error | null;
  readonly onRetry?: () => void;
}

export function ErrorBox({ error, onRetry }: ErrorBoxProps) {
  if (!error) return null;
  return (
    <div class="error-box" role="alert">
      <Icon name="warning" />
      <div>
        <p>{error.message}</p>
        {error instanceof ApiError && (
          <p class="details">
            <code>{error.code}</code>
            {error.requestId !== null && (
              <>
                {' '}
                · request <CopyableId id={error.requestId} what="request ID" />
              </>
            )}
          </p>
        )}
      </div>
      {onRetry && (
        <Button small onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
