import type { Started } from '../../workflow-starts/start-and-await.ts';
import { WorkflowUnavailable } from '../requests/errors.ts';

/** How a call to a workflow failed: certainly never started, or maybe running. */
export type Unanswered = Exclude<Started<never>, { readonly state: 'ended' }>;

/** Returns the workflow's result; undefined if it did not answer. The `decide` of requests without a row to read. */
export function resultOf<Result>(started: Started<Result>): Result | undefined {
  return started.state === 'ended' ? started.result : undefined;
}

export interface StagedRun<Result, Answer> {
  /** Starts the workflow and waits for it, within the deadline of its start. Does not reject because of Temporal. */
  readonly run: () => Promise<Started<Result>>;
  readonly logUnanswered: (unanswered: Unanswered) => void;
  /**
   * Called if the workflow did not answer. Closes the row, so that a workflow that runs later has no effect, and returns
   * true if nothing can come of the request any more. Returns false if the row is decided already or may still be.
   */
  readonly giveUp: (state: Unanswered['state']) => boolean | Promise<boolean>;
  /** Reads the answer, as a rule from the row. Throws the refusal; returns undefined while the row is undecided. */
  readonly decide: (started: Started<Result>) => Answer | undefined | Promise<Answer | undefined>;
  /** Optional. The refusal if nothing was started and the request was given up; a plain 503 by default. */
  readonly unavailable?: () => Error;
  /** The refusal for every other request without an answer. */
  readonly unknown: () => Error;
}

/**
 * Runs a workflow for a row that the caller has staged, and lets the row decide the answer.
 *
 * The row is committed before the workflow starts, and says what is to be done. The call to the workflow only carries
 * the wait: it may time out, lose its connection or end with the process while the workflow continues. Therefore:
 *
 * 1. A workflow that answers in time is followed by `decide`.
 * 2. Otherwise `giveUp` tries to close the row. A closed row can't take effect later, so that the request is refused as
 *    unavailable if the workflow was certainly not started, and as unknown if it may have been.
 * 3. A row that could not be closed was decided by the workflow meanwhile, or by a repeat of the request: `decide` reads
 *    it.
 * 4. A row that is still undecided is refused as unknown.
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
