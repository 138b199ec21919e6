import type { GraphNode } from './fields.ts';
import type { AlbumObject, UploadObject } from './store.ts';
import { platformTime } from '../../scripted-api/platform-time.ts';
import type { ContentView } from './photoapp-nodes.ts';

export function uploadNode(view: ContentView, upload: UploadObject): GraphNode {
  const page = view.store.get('account', upload.accountId);
  const common = {
    created_time: platformTime(upload.createdAtMs),
    from: { name: page?.name, id: upload.accountId },
  };
  const link = `https://www.pageapp.example/${upload.accountId}/${upload.type}s/${upload.id}`;
  return upload.type === 'photo' ? photoNode(upload, { ...common, link }) : videoNode(upload, { common, link, view });
}

/** Newest first. Photos that are not published are left out. */
export function uploadsOf(view: ContentView, accountId: string, types: readonly UploadObject['type'][]): GraphNode[] {
  return view.store
    .all('upload')
    .filter((upload) => upload.accountId === accountId && types.includes(upload.type))
    .filter(({ type, postId, uploadedAtMs }) => (type === 'photo' ? postId : uploadedAtMs) !== null)
    .toReversed()
    .map((upload) => uploadNode(view, upload));
}

export function albumNode(view: ContentView, { id, accountId, name, createdAtMs }: AlbumObject): GraphNode {
  const photos = () => uploadsOf(view, accountId, ['photo']);
  return {
    id,
    type: 'Album',
    defaults: ['created_time', 'name', 'id'],
    fields: {
      created_time: platformTime(createdAtMs),
      name,
      get count() {
        return photos().length;
      },
      picture: { data: { is_silhouette: false, url: `https://cdn.pageapp.example/${id}/picture.jpg` } },
    },
    edges: { photos },
  };
}

function photoNode({ id, description, fileUrl, postId }: UploadObject, common: GraphNode['fields']): GraphNode {
  const fields = {
    ...common,
    name: description ?? undefined,
    picture: fileUrl ?? undefined,
    images: [{ height: 720, width: 720, source: fileUrl }],
    page_story_id: postId ?? undefined,
  };
  return { id, type: 'Photo', defaults: ['created_time', 'name', 'id'], fields };
}

function videoNode(
  upload: UploadObject,
  { common, link, view }: { common: GraphNode['fields']; link: string; view: ContentView },
): GraphNode {
  const status = videoStatus(upload, view.nowMs);
  const thumbnail = `https://cdn.pageapp.example/${upload.id}/thumbnail.jpg`;
  const fields = {
    ...common,
    updated_time: platformTime(upload.createdAtMs),
    // A reel has a path instead of an address.
    permalink_url: upload.type === 'reel' ? `/reel/${upload.id}/` : link,
    description: upload.description ?? undefined,
    title: undefined,
    source: upload.fileUrl ?? undefined,
    length: 12.5,
    picture: thumbnail,
    published: status.publishing_phase.status === 'complete',
    post_id: upload.postId ?? undefined,
    status,
  };
  const thumbnails = (): GraphNode[] => {
    const facts = { uri: thumbnail, height: 720, width: 720, scale: 1, is_preferred: true };
    return [{ id: `${upload.id}1`, type: 'VideoThumbnail', defaults: ['id', ...Object.keys(facts)], fields: facts }];
  };
  return {
    ...{ id: upload.id, type: 'Video', defaults: ['updated_time', 'description', 'id'], fields },
    edges: { thumbnails },
  };
}

/** Each phase starts when the previous one is complete. */
function videoStatus(upload: UploadObject, nowMs: number) {
  const { uploadedAtMs, readyAtMs, publishAtMs, problem } = upload;
  const isReady = readyAtMs !== null && nowMs >= readyAtMs;
  const isFailed = isReady && problem !== null;
  const isPublished = isReady && !isFailed && publishAtMs !== null && nowMs >= publishAtMs;
  const isProcessing = uploadedAtMs !== null && !isReady;
  return {
    video_status: overall({ isFailed, isReady, isUploaded: uploadedAtMs !== null }),
    uploading_phase: { status: uploadedAtMs === null ? 'not_started' : 'complete' },
    processing_phase: {
      status: phase({ isRunning: isProcessing, isDone: isReady, isFailed }),
      ...(isFailed && { errors: [{ code: 1363008, message: problem }] }),
    },
    publishing_phase: {
      status: phase({
        isRunning: publishAtMs !== null && !isPublished && !isFailed,
        isDone: isPublished,
        isFailed: false,
      }),
      ...(isPublished && { publish_status: 'published', publish_time: platformTime(publishAtMs) }),
    },
  };
}

interface Progress {
  readonly isRunning: boolean;
  readonly isDone: boolean;
  readonly isFailed: boolean;
}

function phase({ isRunning, isDone, isFailed }: Progress): string {
  if (isFailed) return 'error';
  if (isDone) return 'complete';
  return isRunning ? 'in_progress' : 'not_started';
}

interface Overall {
  readonly isFailed: boolean;
  readonly isReady: boolean;
  readonly isUploaded: boolean;
}

function overall({ isFailed, isReady, isUploaded }: Overall): string {
  if (isFailed) return 'error';
  if (isReady) return 'ready';
  return isUploaded ? 'processing' : 'uploading';
}
