import type { GraphNode } from './fields.ts';
import type { ContentObject } from './store.ts';
import { messageNode, threadNode } from './threads.ts';
import { pageCommentNode, pageNode, pagePostNode, uploadNode } from './pageapp-nodes.ts';
import { photoAccountNode, photoCommentNode, photoMediaNode, type ContentView } from './photoapp-nodes.ts';

export function nodeOf(view: ContentView, object: ContentObject): GraphNode {
  const isPhoto = object.product === 'photoapp';
  switch (object.kind) {
    case 'account':
      return isPhoto ? photoAccountNode(view, object) : pageNode(view, object);
    case 'post':
      return isPhoto ? photoMediaNode(view, object) : pagePostNode(view, object);
    case 'comment':
      return isPhoto ? photoCommentNode(view, object) : pageCommentNode(view, object);
    case 'thread':
      return threadNode(view.store, object);
    case 'message':
      return messageNode(view.store, object);
    case 'upload':
      return uploadNode(view, object);
  }
}
