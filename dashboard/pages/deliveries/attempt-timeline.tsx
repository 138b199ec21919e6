import { durationText } from '../../kit/texts/duration-text.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { type Attempt, outcomeText } from './attempt-words.ts';

interface AttemptTimelineProps {
  readonly attempts: readonly Attempt[];
  readonly chosen: number;
  readonly onChoose: (number: number) => void;
  readonly nextAttemptAt: string | null;
}

/** The attempts one after the other; the chosen one's answer is shown beside the payload. */
export function AttemptTimeline({ attempts, chosen, onChoose, nextAttemptAt }: AttemptTimelineProps) {
  return (
    <ol class="timeline">
      {attempts.map((attempt) => (
        <li key={attempt.number} class={attempt.outcome}>
          <button type="button" aria-pressed={attempt.number === chosen} onClick={() => onChoose(attempt.number)}>
            <span class="number">{attempt.number}</span>
            <span class="what">{outcomeText(attempt)}</span>
            <span class="soft">
              <RelativeTime at={attempt.startedAt} />, {durationText(attempt.durationMs)}
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
