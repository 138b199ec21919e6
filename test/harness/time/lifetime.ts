/** The time that a resource of tests lives: that of one test, or of the process of several ones. */
export interface Lifetime {
  /** Ends run in reverse order. */
  readonly teardown: (end: () => unknown) => void;
}
