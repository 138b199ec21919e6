import type { Schema } from '../../client/create-client.ts';
import { mediaTypes } from '../../contract/containers/media-types.ts';
import { jsonObject, readJsonInput } from '../commands/arguments.ts';
import { type Flags, type Given, many, oneOf, wholeNumber } from '../commands/flags.ts';
import type { Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';

/** Without those of the command, such as `--wait`. */
export const containerFlags = {
  mediaType: ['--type <type>', 'media type', oneOf(mediaTypes)],
  imageUrl: ['--image-url <url>', 'public https URL of the image'],
  videoUrl: ['--video-url <url>', 'public https URL of the video'],
  caption: ['--caption <text>', 'caption of the post'],
  coverUrl: ['--cover-url <url>', 'public https URL of the image shown before the video plays'],
  altText: ['--alt-text <text>', "description for people who can't see the image"],
  locationId: ['--location-id <id>', 'ID of a Page that has a location'],
  audioName: ['--audio-name <name>', 'name of the audio'],
  shareToFeed: ['--share-to-feed', 'share a reel to the feed as well'],
  noShareToFeed: ['--no-share-to-feed', 'do not share a reel to the feed'],
  thumbOffset: ['--thumb-offset <ms>', 'position of the thumbnail frame in milliseconds', wholeNumber],
  child: ['--child <kind=url>', 'carousel item, image=… or video=…; repeatable, in order', many],
  userTag: ['--user-tag <name,x,y>', 'tagged user, optionally with a position; repeatable', many],
  trial: [
    '--trial <strategy>',
    "trial reel, first shown to people who don't follow the account",
    oneOf(['manual', 'automatic']),
  ],
  trialParams: ['--trial-params <json>', 'further trial parameters as a JSON object'],
  input: ['--input <file>', 'request as a JSON file; - reads standard input'],
  autoPublish: ['--auto-publish', 'publish automatically when ready'],
} as const satisfies Flags;

type Options = Partial<Given<typeof containerFlags>>;

/** Flags override the fields of the --input document. */
export async function containerInput(
  { world }: Pick<Run, 'world'>,
  options: Options,
): Promise<Schema<'MediaContainerInput'>> {
  const { input, child, userTag, trial, trialParams, noShareToFeed: _negation, ...fields } = options;
  const body = {
    ...(input === undefined ? {} : await readJsonInput(world, input)),
    ...omitUndefined({
      ...fields,
      children: child?.map(childOf),
      userTags: userTag?.map(userTagOf),
      trialParams: trialOf(trial, trialParams),
    }),
  };
  if (!('mediaType' in body))
    throw usageError('Missing media type. Use --type, or --input with a document that has a mediaType.');
  // The service validates the document and names every invalid field.
  return body as Schema<'MediaContainerInput'>;
}

function trialOf(graduationStrategy: Options['trial'], params: string | undefined): object | undefined {
  if (params === undefined) return graduationStrategy && { graduationStrategy };
  const further = jsonObject(params);
  if (further) return { ...further, ...omitUndefined({ graduationStrategy }) };
  throw usageError('--trial-params is not a JSON object.', `Use --trial-params '{"name": "value"}'.`);
}

function childOf(text: string): { imageUrl: string } | { videoUrl: string } {
  const [, kind, url = ''] = /^(image|video)=(.+)$/.exec(text) ?? [];
  if (kind === undefined)
    throw usageError(`Invalid child '${text}'.`, 'Use --child image=https://… or --child video=https://….');
  return kind === 'image' ? { imageUrl: url } : { videoUrl: url };
}

function userTagOf(text: string): { username: string; x?: number; y?: number } {
  const [username = '', x, y] = text.split(',');
  if (x === undefined) return { username };
  const position = { x: Number(x), y: Number(y) };
  if (Object.values(position).some(Number.isNaN))
    throw usageError(`Invalid user tag '${text}'.`, 'Use --user-tag name or --user-tag name,0.5,0.25.');
  return { username, ...position };
}
