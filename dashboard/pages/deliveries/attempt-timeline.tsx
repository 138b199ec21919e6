import { formatDuration } from '../../kit/format/format-duration.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { type Attempt, describeOutcome } from './attempt-outcome.ts';

interface AttemptTimelineProps {
  readonly attempts: readonly Attempt[];
  readonly chosen: number;
  readonly onChoose: (number: number) => void;
  readonly nextAttemptAt: string | null;
}

export function AttemptTimeline({ attempts, chosen, onChoose, nextAttemptAt }: AttemptTimelineProps) {
  return (
    <ol class="timeline">
      {attempts.map((attempt) => (
        <li key={attempt.number} class={attempt.outcome}>
          <button type="button" aria-pressed={attempt.number === chosen} onClick={() => onChoose(attempt.number)}>
            <span class="number">{attempt.number}</span>
            <span class="what">{describeOutcome(attempt)}</span>
            <span class="soft">
              <RelativeTime at={attempt.startedAt} />, {formatDuration(attempt.durationMs)}
            </span>
          </button>
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li class="next">
          <p>
            <span class="number">{attempts.length + 1}</span>
            <span class="what">Next attempt</span>
            <span class="soft">
              <RelativeTime at={nextAttemptAt} />
            </span>
          </p>
        </li>
      )}
    </ol>
  );
}
