type Path = readonly string[];

/**
 * Where a body names other objects, as paths; `*` is every element of a list. Persons (`recipient.id`), messages that
 * are answered, and public places are not the channel's and not checked.
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

/** Parameters that would name an object within a file upload, whose fields are seen by name alone. */
export const referenceNames: ReadonlySet<string> = new Set(referencePaths.map(([name]) => String(name)));

/** A place on the paths above; all of them are followed at once, so that a body is read once. */
export interface PathNode {
  /** An id stands here. */
  isEnd: boolean;
  readonly named: Map<string, PathNode>;
  every: PathNode | undefined;
  /** The last names of the paths from here on; `*` where only elements of lists are left. */
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

/** Goes on along every path that has this name next. */
export function step(nodes: readonly PathNode[], name: string): PathNode[] {
  return nodes.flatMap(({ named, every }) => [named.get(name), every]).filter((node) => node !== undefined);
}

/** Goes on to the elements of a list. */
export function stepIntoList(nodes: readonly PathNode[]): PathNode[] {
  return nodes.map(({ every }) => every).filter((node) => node !== undefined);
}

/**
 * Where a parameter's name leads, of which `recipient[comment_id]` has two parts. Null if it leads into an id, as
 * `post_id[0]` does.
 */
export function nodesOfName(parts: readonly string[]): readonly PathNode[] | null {
  let nodes: readonly PathNode[] = [root];
  for (const part of parts) {
    if (nodes.some(({ isEnd }) => isEnd)) return null;
    nodes = step(nodes, part);
  }
  return nodes;
}

/** Returns whether a lenient reader of nearly JSON could find the last name of a path in a text. */
export function couldName(text: string, nodes: readonly PathNode[]): boolean {
  const names = new Set(nodes.flatMap(({ lastNames }) => [...lastNames]));
  if (names.size === 0) return false;
  if (names.has('*') || text.includes('\\')) return true;
  return [...names].some((name) => new RegExp(`\\b${name}\\b`, 'i').test(text));
}
