import { pageSize, positionOf } from '../../scripted-api/paging.ts';
import { parseFields, selectFields, type Fields, type GraphNode, type PresentEdge } from './fields.ts';

export interface ReadCall {
  readonly base: string;
  readonly token: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export function presentNode(node: GraphNode, call: ReadCall): Fields {
  const fields = call.parameters.get('fields');
  return selectFields(node, fields === undefined ? undefined : parseFields(fields), edgePresenter(call));
}

export function presentList(owner: GraphNode, name: string, call: ReadCall): Fields {
  const nodes = owner.edges?.[name]?.(call.parameters) ?? [];
  const present = (node: GraphNode): Fields => presentNode(node, call);
  return edgePresenter(call)({ owner, name, nodes, options: call.parameters, present });
}

function edgePresenter({ base, token }: ReadCall): PresentEdge {
  return ({ owner, name, nodes, options, present }) => {
    const size = pageSize(options.get('limit'));
    const { start, end } = bounds(nodes, { size, after: options.get('after'), before: options.get('before') });
    const page = nodes.slice(start, end);
    const [first] = page;
    const last = page.at(-1);
    if (!first || !last) return { data: [] };
    const cursors = { before: cursorOf(first), after: cursorOf(last) };
    const address = (cursor: Readonly<Record<string, string>>): string => {
      const kept = [...options].filter(
        ([key]) => !['access_token', 'appsecret_proof', 'after', 'before'].includes(key),
      );
      // Contains the token, as on the platform.
      const query = { access_token: token, ...Object.fromEntries(kept), limit: String(size), ...cursor };
      return `${base}/${owner.id}/${name}?${new URLSearchParams(query).toString()}`;
    };
    const next = end < nodes.length ? { next: address({ after: cursors.after }) } : {};
    const previous = start > 0 ? { previous: address({ before: cursors.before }) } : {};
    return { data: page.map(present), paging: { cursors, ...next, ...previous } };
  };
}

interface Window {
  readonly size: number;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

function bounds(nodes: readonly GraphNode[], { size, after, before }: Window): { start: number; end: number } {
  if (after === undefined && before !== undefined) {
    const end = positionOf(nodes, before, cursorOf);
    return { start: Math.max(0, end - size), end };
  }
  const start = after === undefined ? 0 : positionOf(nodes, after, cursorOf) + 1;
  return { start, end: start + size };
}

function cursorOf({ id }: GraphNode): string {
  return Buffer.from(`c.${id}`).toString('base64url');
}
