import type { ApiTypes, Target } from '../scripted-api/api.ts';
import {
  commonDefaults,
  createScript,
  type CommonSettings,
  type Script,
  type Subject,
} from '../scripted-api/script.ts';
import type { ContentFault, InsightOverride } from './control.ts';
import type { ContentObject, ContentProduct } from './objects/store.ts';

export interface ContentTypes extends ApiTypes {
  readonly target: ContentTarget;
  readonly subject: ContentSubject;
  readonly fault: ContentFault;
}

export interface ContentTarget extends Target {
  readonly account: string;
  readonly object: ContentObject;
}

interface ContentSubject extends Subject {
  readonly product: ContentProduct;
  readonly account: string;
  readonly id: string;
  readonly edge: string;
  readonly metric: (name: unknown) => boolean;
}

export interface ContentSettings extends CommonSettings<ContentFault> {
  readonly tokens: Readonly<Record<string, string>>;
  readonly videos: { readonly answersPostId: boolean };
  readonly insights: readonly InsightOverride[];
}

export type ContentScript = Script<ContentFault, ContentSettings>;

const defaults: ContentSettings = {
  ...commonDefaults,
  tokens: {},
  videos: { answersPostId: true },
  insights: [],
};

export function createContentScript(): ContentScript {
  return createScript(defaults, ['usage', 'videos']);
}
