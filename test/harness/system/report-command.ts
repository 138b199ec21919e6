import { StopList } from '../../../dev/processes/stop-list.ts';

const SIGNAL_EXIT_CODE = 130;
const USAGE_EXIT_CODE = 2;

/** Writes progress to standard error: standard output contains only the report. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export interface ReportCommand<Options> {
  readonly usage: string;
  /** Throws if an option is unknown or invalid. */
  readonly readOptions: () => Options;
  /** Resources on the list are stopped at the end and on a signal. */
  readonly run: (
    options: Options,
    stops: StopList,
  ) => Promise<{ readonly text: string; readonly json: unknown; readonly isGood: boolean }>;
}

/**
 * Runs a command that prints its report as text and as a line of JSON. Exit codes: 0 for a good report, 1 for a bad one
 * or an error, 2 for invalid options, 130 after a signal.
 */
export async function runReportCommand<Options>(command: ReportCommand<Options>): Promise<never> {
  const options = optionsOrUsage(command);
  const stops = new StopList(() => undefined);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => void stops.stopAll().finally(() => process.exit(SIGNAL_EXIT_CODE)));
  }
  try {
    const { text, json, isGood } = await command.run(options, stops);
    process.stdout.write(`${text}\n\n${JSON.stringify(json)}\n`);
    process.exitCode = isGood ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  } finally {
    await stops.stopAll();
  }
  process.exit();
}

function optionsOrUsage<Options>({ readOptions, usage }: ReportCommand<Options>): Options {
  try {
    return readOptions();
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(USAGE_EXIT_CODE);
  }
}
