type Path = readonly string[];

/**
 * Paths of ids in a body; `*` matches list elements. Users (`recipient.id`), quoted messages and public places belong
 * to no channel and are not checked.
 */
const referencePaths: readonly Path[] = [
  ...['comment_id', 'post_id', 'creation_id', 'media_id', 'object_id', 'parent_id', 'video_id', 'photo_id', 'page_id'],
  ...['phone_number_id', 'thread_id', 'conversation_id', 'hsm_id', 'media_fbid'],
  ...['object_attachment', 'attachment_id', 'crossposted_video_id'],
]
  .map((name) => [name])
  .concat([
    ['recipient', 'comment_id'],
    ['recipient', 'post_id'],
    ['recipient', 'thread_key'],
    ['recipient', 'conversation_id'],
    ['children', '*'],
    ['attached_media', '*', 'media_fbid'],
    ['message', 'attachment', 'payload', 'id'],
    ['message', 'attachments', '*', 'payload', 'id'],
    ['message', 'attachments', 'payload', 'id'],
    ...['image', 'video', 'audio', 'document', 'sticker'].flatMap((media) => [
      [media, 'id'],
      ['interactive', 'header', media, 'id'],
      ['template', 'components', '*', 'parameters', '*', media, 'id'],
      ['template', 'components', '*', 'cards', '*', 'components', '*', 'parameters', '*', media, 'id'],
      ['interactive', 'action', 'cards', '*', 'header', media, 'id'],
    ]),
  ]);

/** Refused in a file upload, where only field names are checked. */
export const referenceNames: ReadonlySet<string> = new Set(referencePaths.map(([name]) => String(name)));

/** All paths are followed together, so that a body is read once. */
export interface PathNode {
  isEnd: boolean;
  readonly named: Map<string, PathNode>;
  every: PathNode | undefined;
  /** The last names of all paths through this node; `*` if only list elements remain. */
  readonly lastNames: Set<string>;
}

const newNode = (): PathNode => ({ isEnd: false, named: new Map(), every: undefined, lastNames: new Set() });

function treeOf(paths: readonly Path[]): PathNode {
  const root = newNode();
  for (const path of paths) {
    let node = root;
    path.forEach((name, at) => {
      node.lastNames.add(path.slice(at).findLast((each) => each !== '*') ?? '*');
      node = name === '*' ? (node.every ??= newNode()) : namedChild(node, name);
    });
    node.isEnd = true;
  }
  return root;
}

function namedChild({ named }: PathNode, name: string): PathNode {
  const child = named.get(name) ?? newNode();
  named.set(name, child);
  return child;
}

const root = treeOf(referencePaths);

export function step(nodes: readonly PathNode[], name: string): PathNode[] {
  return nodes.flatMap(({ named, every }) => [named.get(name), every]).filter((node) => node !== undefined);
}

export function stepIntoList(nodes: readonly PathNode[]): PathNode[] {
  return nodes.map(({ every }) => every).filter((node) => node !== undefined);
}

/** Returns the nodes that the parts of a name lead to, or null if they lead into an id, as in `post_id[0]`. */
export function nodesOfName(parts: readonly string[]): readonly PathNode[] | null {
  let nodes: readonly PathNode[] = [root];
  for (const part of parts) {
    if (nodes.some(({ isEnd }) => isEnd)) return null;
    nodes = step(nodes, part);
  }
  return nodes;
}

/** Returns true if a lenient JSON parser could find one of the last names in this text. */
export function couldName(text: string, nodes: readonly PathNode[]): boolean {
  const names = new Set(nodes.flatMap(({ lastNames }) => [...lastNames]));
  if (names.size === 0) return false;
  if (names.has('*') || text.includes('\\')) return true;
  return [...names].some((name) => new RegExp(`\\b${name}\\b`, 'i').test(text));
}
