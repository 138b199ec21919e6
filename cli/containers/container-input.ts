import type { Schema } from '../../client/create-client.ts';
import type { MediaType } from '../../contract/containers/media-types.ts';
import { readJsonInput } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { World } from '../terminal/world.ts';

export interface ContainerOptions {
  readonly type?: MediaType;
  readonly imageUrl?: string;
  readonly videoUrl?: string;
  readonly caption?: string;
  readonly coverUrl?: string;
  readonly altText?: string;
  readonly locationId?: string;
  readonly audioName?: string;
  readonly shareToFeed?: boolean;
  readonly thumbOffset?: number;
  readonly child?: readonly string[];
  readonly userTag?: readonly string[];
  readonly trial?: 'manual' | 'automatic';
  readonly trialParams?: string;
  readonly autoPublish?: boolean;
  readonly input?: string;
}

/** Flags override the fields of the --input document. */
export async function containerInput(world: World, options: ContainerOptions): Promise<Schema<'MediaContainerInput'>> {
  const { type, imageUrl, videoUrl, caption, coverUrl, altText, locationId, audioName, shareToFeed, thumbOffset } =
    options;
  const document = options.input === undefined ? {} : await readJsonInput(world, options.input);
  const body = {
    ...document,
    ...omitUndefined({
      mediaType: type,
      imageUrl,
      videoUrl,
      caption,
      coverUrl,
      altText,
      locationId,
      audioName,
      shareToFeed,
      thumbOffset,
    }),
    ...omitUndefined({
      children: options.child?.map(child),
      userTags: options.userTag?.map(userTag),
      trialParams: trialParams(options),
      autoPublish: options.autoPublish,
    }),
  };
  if (!('mediaType' in body))
    throw usageError('Missing media type. Use --type, or --input with a document that has a mediaType.');
  // The service validates the document and names every invalid field.
  return body as Schema<'MediaContainerInput'>;
}

function trialParams({ trial, trialParams: more }: ContainerOptions): object | undefined {
  if (more === undefined) return trial && { graduationStrategy: trial };
  return { ...jsonObject(more), ...(trial && { graduationStrategy: trial }) };
}

function jsonObject(text: string): object {
  const invalid = () => usageError('--trial-params is not a JSON object.', `Use --trial-params '{"name": "value"}'.`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    throw invalid();
  }
  throw invalid();
}

function child(text: string): { imageUrl: string } | { videoUrl: string } {
  const [, kind, url = ''] = /^(image|video)=(.+)$/.exec(text) ?? [];
  if (kind === undefined)
    throw usageError(`Invalid child '${text}'.`, 'Use --child image=https://… or --child video=https://….');
  return kind === 'image' ? { imageUrl: url } : { videoUrl: url };
}

function userTag(text: string): { username: string; x?: number; y?: number } {
  const [username = '', x, y] = text.split(',');
  if (x === undefined) return { username };
  const position = [Number(x), Number(y)] as const;
  if (position.some(Number.isNaN))
    throw usageError(`Invalid user tag '${text}'.`, 'Use --user-tag name or --user-tag name,0.5,0.25.');
  return { username, x: position[0], y: position[1] };
}
