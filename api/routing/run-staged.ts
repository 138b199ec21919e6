import type { Started } from '../../workflow-starts/start-and-await.ts';
import { WorkflowUnavailable } from '../requests/errors.ts';

export type Unanswered = Exclude<Started<never>, { readonly state: 'ended' }>;

/** The `decide` of requests without a row. */
export function resultOf<Result>(started: Started<Result>): Result | undefined {
  return started.state === 'ended' ? started.result : undefined;
}

export interface StagedRun<Result, Answer> {
  /** Does not reject because of Temporal. */
  readonly run: () => Promise<Started<Result>>;
  readonly logUnanswered: (unanswered: Unanswered) => void;
  /** Closes the row, so that a late workflow has no effect. Returns false if the row is or may still be decided. */
  readonly giveUp: (state: Unanswered['state']) => boolean | Promise<boolean>;
  /** Throws the refusal. Returns undefined while the row is undecided. */
  readonly decide: (started: Started<Result>) => Answer | undefined | Promise<Answer | undefined>;
  /** Optional. The refusal if nothing was started. Default: `WorkflowUnavailable`. */
  readonly unavailable?: () => Error;
  readonly unknown: () => Error;
}

/**
 * Runs a workflow for a row that the caller has committed, and answers from the row.
 *
 * The call to the workflow only waits; it may fail while the workflow continues. Then `giveUp` tries to close the row.
 * A closed row is refused as unavailable if the workflow is known not to have started, otherwise as unknown.
 *
 * A row that can't be closed was decided first, so `decide` reads it. A row that is still undecided is refused as
 * unknown.
 */
export async function runStaged<Result, Answer>(staged: StagedRun<Result, Answer>): Promise<Answer> {
  const { run, logUnanswered, giveUp, decide, unavailable, unknown } = staged;
  const started = await run();
  if (started.state !== 'ended') {
    logUnanswered(started);
    if (await giveUp(started.state)) {
      if (started.state === 'unknown') throw unknown();
      throw unavailable?.() ?? new WorkflowUnavailable();
    }
  }
  const answer = await decide(started);
  if (answer === undefined) throw unknown();
  return answer;
}
