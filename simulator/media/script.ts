import type { ApiCall, ApiTypes, Target } from '../scripted-api/api.ts';
import {
  commonDefaults,
  createScript,
  matches,
  takeFirst,
  type CommonSettings,
  type Script,
  type Subject,
} from '../scripted-api/script.ts';
import type { MediaFault, MediaOutcome, mediaReads } from './control.ts';
import type { MediaType } from './store.ts';

export interface MediaTypes extends ApiTypes {
  readonly target: Target;
  readonly subject: MediaSubject;
  readonly fault: MediaFault;
}

export type MediaCall = ApiCall<MediaTypes>;

export interface MediaSubject extends Subject {
  readonly account: string | null;
  readonly mediaType?: MediaType | undefined;
  readonly isCarouselItem?: boolean | undefined;
  readonly childIndex?: number | null | undefined;
  readonly urlIncludes?: (part: unknown) => boolean;
}

export interface ProcessingTimes {
  readonly imageMs: number;
  readonly videoMs: number;
  readonly carouselMs: number;
}

export interface MediaSettings extends CommonSettings<MediaFault> {
  readonly processing: ProcessingTimes;
  readonly quota: { readonly used: number | null; readonly total: number };
  readonly reads: (typeof mediaReads)[number];
  readonly containerLimit: number;
  readonly outcomes: readonly MediaOutcome[];
}

export interface MediaScript extends Script<MediaFault, MediaSettings> {
  takeOutcome(subject: MediaSubject): MediaOutcome | undefined;
}

const defaults: MediaSettings = {
  ...commonDefaults,
  processing: { imageMs: 2_000, videoMs: 20_000, carouselMs: 1_000 },
  quota: { used: null, total: 100 },
  reads: 'shown',
  containerLimit: 400,
  outcomes: [],
};

export function createMediaScript(processing: Partial<ProcessingTimes> = {}): MediaScript {
  const initial = { ...defaults, processing: { ...defaults.processing, ...processing } };
  const script = createScript<MediaFault, MediaSettings>(initial, ['usage', 'processing', 'quota']);

  return {
    ...script,
    takeOutcome(subject) {
      const { taken, left } = takeFirst(script.settings().outcomes, ({ match }) => matches(match, subject));
      script.control({ outcomes: left });
      return taken;
    },
  };
}
