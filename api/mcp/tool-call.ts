import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ApiDeps } from '../requests/deps.ts';
import { errorBody } from '../../process/http-errors.ts';
import type { HttpError } from '../requests/errors.ts';
import type { FileAnswer, RunRoute } from '../routing/mount-route.ts';
import { goneSignal, type RouteCall } from '../routing/route-call.ts';
import { isUnexpected, toHttpError } from '../requests/to-http-error.ts';
import type { ApiContext, ApiState } from '../requests/state.ts';
import { authenticateMcp, countRequest } from './authenticate.ts';
import { fileContent, uploadOf } from './files.ts';
import { inArguments, sortArguments, type ToolArguments } from './tool-arguments.ts';
import type { ToolDefinition } from './tools.ts';

export interface ToolStage {
  readonly ctx: ApiContext;
  readonly deps: ApiDeps;
  readonly operations: ReadonlyMap<string, RunRoute>;
}

/** A request may contain several calls, each with its own log fields. */
interface ToolCall {
  readonly tool: ToolDefinition;
  readonly given: ToolArguments;
  readonly logFields: ApiState['logFields'];
}

/**
 * Makes the same checks as the route. Returns refusals as tool results, not as protocol errors, so that the model reads
 * them.
 */
export async function callTool(stage: ToolStage, tool: ToolDefinition, given: ToolArguments): Promise<CallToolResult> {
  const { log, now } = stage.deps;
  const { state } = stage.ctx;
  const startedAtMs = now();
  const call: ToolCall = { tool, given, logFields: { ...state.logFields } };
  try {
    return await answerOf(stage, call);
  } finally {
    log.info('toolCall.served', {
      requestId: state.requestId,
      tool: tool.route.operationId,
      durationMs: Math.round((now() - startedAtMs) * 10) / 10,
      ...call.logFields,
    });
  }
}

async function answerOf(stage: ToolStage, call: ToolCall): Promise<CallToolResult> {
  const { operationId } = call.tool.route;
  const { requestId, callerRequestId } = stage.ctx.state;
  try {
    const run = stage.operations.get(operationId);
    if (!run) throw new Error(`The operation ${operationId} is not mounted`);
    return await resultOf(stage, { ...call, answer: await run(operationCallOf(stage, call)) });
  } catch (error) {
    const refusal = toHttpError(error);
    if (isUnexpected(error)) stage.deps.log.error('toolCall.failed', { requestId, tool: operationId, error });
    call.logFields.code = refusal.code;
    return toolRefusal(call.tool, refusal, callerRequestId ?? requestId);
  }
}

function operationCallOf({ ctx }: ToolStage, { tool, given, logFields }: ToolCall): RouteCall {
  const { params, workspaceId, idempotencyKey, query, body, file } = sortArguments(tool.plan, given);
  const { requestId, callerRequestId } = ctx.state;
  return {
    authenticate: async (deps) => {
      const principal = await authenticateMcp(ctx, deps);
      await countRequest(ctx, deps, principal);
      return principal;
    },
    params,
    workspaceId,
    idempotencyKey,
    query: () => query,
    body: async () => await body(),
    upload: () => uploadOf(file),
    requestId,
    callerRequestId,
    logFields,
    clientAddress: ctx.ip,
    userAgent: ctx.get('user-agent'),
    setHeader: () => undefined, // a request may contain several calls
    gone: () => goneSignal(ctx),
  };
}

interface Answered extends ToolCall {
  readonly answer: object | void;
}

async function resultOf({ deps }: ToolStage, { tool, given, answer }: Answered): Promise<CallToolResult> {
  const { route, plan } = tool;
  if (route.success.file) {
    const path = filledPath(route.path, sortArguments(plan, given).params());
    return { content: [await fileContent(answer as FileAnswer, `${deps.baseUrl}${path}`)] }; // `success.file` is set
  }
  if (!answer) return { content: [{ type: 'text', text: 'Done; there is nothing to return.' }] };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } };
}

function filledPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Not as structured content: some clients validate errors against the tool's output schema. */
function toolRefusal({ plan }: ToolDefinition, refusal: HttpError, requestId: string): CallToolResult {
  const retryAfter = refusal.headers['retry-after'];
  const body = errorBody(refusal, requestId);
  const error = {
    ...body,
    message: inArguments(body.message, plan),
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(error) }], _meta: { error } };
}
