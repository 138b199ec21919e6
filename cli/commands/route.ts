import type { paths } from '../../client/api-types.ts';
import type { Answer, ApiClient } from '../../client/create-client.ts';
import { fieldsOf, type View } from '../terminal/output.ts';
import { usageError } from '../terminal/failures.ts';
import { confirm } from '../terminal/prompt.ts';
import { type Args, type Definition, type Described, operandNames } from './definition.ts';
import type { Flags, Given } from './flags.ts';
import { type ItemOf, type Listing, type Page, type PageOptions, type PageQuery, showList } from './listing.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { Run } from './run.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** A route of the API, such as `GET /alerts/{alr}`. */
type Call = {
  [Path in keyof paths & string]: {
    [Verb in keyof paths[Path] & Method]: `${Uppercase<Verb>} ${Path}`;
  }[keyof paths[Path] & Method];
}[keyof paths & string];

type OperationOf<Of extends Call> = Of extends `${infer Verb} ${infer Path extends keyof paths}`
  ? Lowercase<Verb> extends keyof paths[Path]
    ? paths[Path][Lowercase<Verb>]
    : never
  : never;
type AnswerOf<Of extends Call> = Answer<OperationOf<Of>>;
type Loose<Fields> = Fields extends object ? { readonly [Name in keyof Fields]: Fields[Name] | undefined } : never;
/** The body of a request, or its query. */
type InputOf<Operation> = 'requestBody' extends keyof Operation
  ? Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? Loose<Body>
    : never
  : Operation extends { parameters: { query?: infer Query } }
    ? Loose<Query>
    : never;
type Input<Of extends Call> = InputOf<OperationOf<Of>>;

interface Routed<Usage extends string, Of extends Call, All extends Flags> extends Described<All> {
  /** Optional. Default: the flags and the operands that the path doesn't take, by their names. */
  readonly input?: (options: Given<All>, args: Args<Usage>, run: Run) => Input<Of> | Promise<Input<Of>>;
  /** Optional. The error if there is no input. Default: no error. */
  readonly unchanged?: string;
  /** Optional. The question. Undefined if none is needed. */
  readonly confirm?: (args: Args<Usage>, options: Given<All>) => string | undefined;
  readonly progress?: string;
  /** Optional. The field that `--value` prints alone. */
  readonly secret?: keyof AnswerOf<Of> & string;
  /** For lists. */
  readonly columns?: View<ItemOf<AnswerOf<Of>>>;
  /** Optional. What is said about an empty list. Default: made from the name of the list. */
  readonly empty?: string;
  /** Optional. Prints below the table. */
  readonly explain?: (run: Run, items: readonly ItemOf<AnswerOf<Of>>[]) => void;
  readonly record?: View<AnswerOf<Of>>;
  /** A sentence, optionally after the document that replaces the answer. */
  readonly done?: (
    answer: AnswerOf<Of>,
    args: Args<Usage>,
    options: Given<All>,
  ) => string | readonly [document: object, sentence: string];
  readonly show?: (
    run: Run,
    answer: AnswerOf<Of>,
    given: { readonly args: Args<Usage>; readonly options: Given<All> },
  ) => void | Promise<void>;
}

/** `Routed` without the types of one route. */
interface Shown extends Described<Flags> {
  readonly input?: (options: object, args: Operands, run: Run) => object | Promise<object>;
  readonly unchanged?: string;
  readonly confirm?: (args: Operands, options: object) => string | undefined;
  readonly progress?: string;
  readonly secret?: string;
  readonly columns?: View<never>;
  readonly empty?: string;
  readonly explain?: (run: Run, items: readonly never[]) => void;
  readonly record?: View<never>;
  readonly done?: (answer: unknown, args: Operands, options: object) => string | readonly [object, string];
  readonly show?: (run: Run, answer: unknown, given: { args: Operands; options: object }) => void | Promise<void>;
}
type Operands = readonly (string | undefined)[];
type Options = Readonly<Record<string, unknown>>;

/**
 * Defines a command that calls a route and shows its answer. Operands fill the path from the left; `{org}`, and `{ws}`
 * without an operand, come from the settings. Flags and further operands are fields of the body, or of the query of a
 * route without one. `--of` replaces the organization of the path by a workspace.
 */
export function route<
  const Usage extends string,
  const Of extends Call,
  const All extends Flags = Record<never, never>,
>(usage: Usage, call: Of, definition: Routed<Usage, Of, All>): Definition {
  const shown = definition as unknown as Shown;
  const [verb = '', template = ''] = call.split(' ');
  return {
    ...(definition as Described<Flags>),
    usage,
    call,
    async act(run, args, options) {
      const place = placeOf({ template, usage, args, options });
      const input: object = omitUndefined(
        shown.input ? await shown.input(options, args, run) : { ...place.rest, ...fieldsIn(options, shown.flags) },
      );
      if (shown.unchanged !== undefined && Object.keys(input).length === 0) throw usageError(shown.unchanged);
      const question = shown.confirm?.(args, options);
      if (question !== undefined) await confirm(run.world, question, options);
      const client = await clientOf(run, template);
      const path = await pathOf(run, place);
      const header = omitUndefined({ 'Idempotency-Key': options['idempotencyKey'] });
      const hasBody = !['GET', 'DELETE'].includes(verb) && (hasFields(shown) || Object.keys(place.rest).length > 0);
      const send = (query: object, body?: object): Promise<unknown> =>
        methodsOf(client)[verb.toLowerCase() as Method](place.template, { params: { path, query, header }, body });
      if (shown.columns) {
        const read = (page: PageQuery) => send({ ...input, ...page }) as Promise<Page>;
        return await showList(run, options as PageOptions, { ...listOf(shown, run), read });
      }
      if (shown.progress !== undefined) run.progress.show(shown.progress);
      const answer = await (hasBody ? send({}, input) : send(input));
      run.progress.end();
      await showAnswer(run, shown, { answer, args, options });
    },
  };
}

interface Place {
  readonly template: string;
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly isInWorkspace: boolean;
  /** Operands that the path doesn't take. */
  readonly rest: Options;
}

interface Line {
  readonly template: string;
  readonly usage: string;
  readonly args: Operands;
  readonly options: Options;
}

function placeOf({ template: own, usage, args, options }: Line): Place {
  const owner = typeof options['of'] === 'string' ? options['of'] : undefined;
  const template = owner === undefined ? own : own.replace('/organizations/{org}', '/workspaces/{ws}');
  const ids = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'org');
  const operands = operandNames(usage).map((name, index) => [name, args[index]] as const);
  const isInWorkspace = owner === undefined && ids[0] === 'ws' && ids.length > operands.length;
  const taken = isInWorkspace || owner !== undefined ? ids.slice(1) : ids;
  return {
    template,
    given: { ws: owner, ...Object.fromEntries(taken.map((name, index) => [name, args[index]])) },
    isInWorkspace,
    rest: Object.fromEntries(operands.slice(taken.length)),
  };
}

async function pathOf(run: Run, { template, given, isInWorkspace }: Place): Promise<Options> {
  return omitUndefined({
    ...given,
    ...(template.includes('{org}') && { org: await run.organizationId() }),
    ...(isInWorkspace && { ws: await run.workspaceId() }),
  });
}

/** Returns whether a header names the workspace, because nothing in the path does. */
export function isInHeader(template: string): boolean {
  return /^\/(?:platform\/channels|webhook-config|deliveries)(?:\/|$)/.test(template);
}

async function clientOf(run: Run, template: string): Promise<ApiClient> {
  if (template.startsWith('/staff/')) return run.staff();
  return await (isInHeader(template) ? run.inWorkspace() : run.client());
}

type Untyped = (path: string, options: object) => Promise<unknown>;

/** The types of `route` have checked the path and what goes with it. */
function methodsOf(client: ApiClient): Readonly<Record<Method, Untyped>> {
  return client as unknown as Readonly<Record<Method, Untyped>>;
}

function hasFields({ input, flags = {} }: Shown): boolean {
  return input !== undefined || Object.values(flags).some(([, , kind]) => !kind?.isLocal);
}

function fieldsIn(options: Options, flags: Flags = {}): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !flags[name]?.[2]?.isLocal));
}

function listOf({ columns = {}, empty, explain }: Shown, run: Run): Omit<Listing<Page>, 'read'> {
  return { columns, ...omitUndefined({ empty }), ...(explain && { explain: (items) => explain(run, items) }) };
}

interface Answered {
  readonly answer: unknown;
  readonly args: Operands;
  readonly options: Options;
}

async function showAnswer(run: Run, shown: Shown, { answer, args, options }: Answered): Promise<void> {
  const { secret, show, record, done } = shown;
  if (secret !== undefined && options['value']) {
    return run.output.exact(`${String((answer as Options)[secret])}\n`);
  }
  if (show) return await show(run, answer, { args, options });
  if (record) return run.output.record(answer, fieldsOf(record, answer as never));
  const said = done?.(answer, args, options) ?? 'Done.';
  if (typeof said === 'string') run.output.done(answer, said);
  else run.output.done(...said);
}
