import { InvalidRequest } from '../requests/errors.ts';

export interface Problems {
  /** Collects an InvalidRequest and returns undefined. */
  readonly from: <Part>(read: () => Part | Promise<Part>) => Promise<Part | undefined>;
  /** Adds problems of the form `part.field: why`. */
  readonly add: (texts: readonly string[]) => void;
  readonly refuse: () => void;
}

export function collectProblems(): Problems {
  const problems: string[] = [];
  const refuse = (): void => {
    if (problems.length > 0) throw new InvalidRequest(`${[...new Set(problems)].join('; ')}.`);
  };
  return {
    from: async (read) => {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof InvalidRequest)) {
          refuse(); // invalid fields take precedence over other errors
          throw error;
        }
        problems.push(error.message.replace(/\.$/, ''));
        return undefined;
      }
    },
    add: (texts) => void problems.push(...texts),
    refuse,
  };
}
