type Path = readonly string[];

/**
 * Paths of ids in a body that name other objects; `*` matches every list element. Users (`recipient.id`), quoted
 * messages and public places do not belong to the channel and are not checked.
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

/** Parameters that would name an object in a file upload, where only field names are checked. */
export const referenceNames: ReadonlySet<string> = new Set(referencePaths.map(([name]) => String(name)));

/** A node of the tree of paths. All paths are followed together, so that a body is read once. */
export interface PathNode {
  /** An id is expected here. */
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

/** Follows every path whose next name is this one. */
export function step(nodes: readonly PathNode[], name: string): PathNode[] {
  return nodes.flatMap(({ named, every }) => [named.get(name), every]).filter((node) => node !== undefined);
}

/** Follows the paths into the elements of a list. */
export function stepIntoList(nodes: readonly PathNode[]): PathNode[] {
  return nodes.map(({ every }) => every).filter((node) => node !== undefined);
}

/**
 * Returns the nodes that a parameter name leads to; `recipient[comment_id]` has two parts. Null if the name leads into
 * an id, as `post_id[0]` does.
 */
export function nodesOfName(parts: readonly string[]): readonly PathNode[] | null {
  let nodes: readonly PathNode[] = [root];
  for (const part of parts) {
    if (nodes.some(({ isEnd }) => isEnd)) return null;
    nodes = step(nodes, part);
  }
  return nodes;
}

/** Returns true if a lenient JSON parser could find the last name of a path in this text. */
export function couldName(text: string, nodes: readonly PathNode[]): boolean {
  const names = new Set(nodes.flatMap(({ lastNames }) => [...lastNames]));
  if (names.size === 0) return false;
  if (names.has('*') || text.includes('\\')) return true;
  return [...names].some((name) => new RegExp(`\\b${name}\\b`, 'i').test(text));
}
