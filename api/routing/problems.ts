import { InvalidRequest } from '../requests/errors.ts';

export interface Problems {
  /** Reads a part of the request. Where it is invalid, that is kept for the one refusal, and the part is undefined. */
  readonly from: <Part>(read: () => Part | Promise<Part>) => Promise<Part | undefined>;
  /** Adds what is wrong, each as `part.field: why`. */
  readonly add: (texts: readonly string[]) => void;
  /** Throws the refusal that names all of it, where there is any. */
  readonly refuse: () => void;
}

/** Collects what is wrong in the parts of a request, so that its refusal names every field at once. */
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
          refuse(); // what can be mended at once is said first
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
