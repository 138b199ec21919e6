export interface AnswerCache<Answer> {
  /** Callers that come while the answer is read share it. A failure is not kept. */
  read(key: string, load: () => Promise<Answer>): Promise<Answer>;
}

interface AnswerCacheOptions {
  readonly keptMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Optional. Default: 500. The oldest answer makes room. */
  readonly maxAnswers?: number;
}

/** Returns answers that are some seconds old, so that many open pages cost one reading. */
export function createAnswerCache<Answer>({ keptMs, now, maxAnswers = 500 }: AnswerCacheOptions): AnswerCache<Answer> {
  const answers = new Map<string, { readonly answer: Promise<Answer>; readonly untilMs: number }>();
  return {
    async read(key, load) {
      const kept = answers.get(key);
      if (kept && kept.untilMs > now()) return await kept.answer;
      const answer = load();
      const entry = { answer, untilMs: now() + keptMs };
      answers.delete(key);
      answers.set(key, entry);
      const [oldest] = answers.keys();
      if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
      try {
        return await answer;
      } catch (error) {
        if (answers.get(key) === entry) answers.delete(key);
        throw error;
      }
    },
  };
}
