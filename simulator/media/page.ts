import { escapeHtml } from '../servers/escape-html.ts';
import { statusOf, type Container, type Post } from './store.ts';

export interface MediaPage {
  readonly containers: readonly Container[];
  readonly posts: readonly Post[];
  readonly nowMs: number;
}

/** Longer tables are slow to refresh. */
const MAX_ROWS = 200;
const REFRESH_SECONDS = 5;
const MAX_TEXT = 80;

export function mediaPage({ containers, posts, nowMs }: MediaPage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>Platform simulator: media</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
  section { overflow-x: auto }
  table { border-collapse: collapse; width: 100% }
  caption { font-size: 1.25rem; font-weight: 600; text-align: left }
  th, td { border-bottom: 1px solid #767676; padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top }
  td { overflow-wrap: anywhere }
</style></head>
<body><main><h1>Platform simulator: media</h1>
<p>The clock of the platform says <time>${escapeHtml(new Date(nowMs).toISOString())}</time>.</p>
${table({
  caption: `Containers (${containers.length})`,
  head: ['Container', 'Account', 'Kind', 'State', 'Age', 'Caption', 'Media'],
  rows: newest(containers).map((container) => containerCells(container, nowMs)),
})}
${table({
  caption: `Posts (${posts.length})`,
  head: ['Post', 'Account', 'Kind', 'Age', 'Caption', 'Container', 'Permalink'],
  rows: newest(posts).map((post) => postCells(post, nowMs)),
})}
</main></body>
</html>
`;
}

function containerCells(container: Container, nowMs: number): string[] {
  const { id, account, isCarouselItem, createdAtMs, errorSubcode, parameters, children } = container;
  const status = statusOf(container, nowMs);
  return [
    id,
    account,
    isCarouselItem ? `${container.mediaType}, carousel item` : container.mediaType,
    status === 'ERROR' ? `${status} ${errorSubcode}` : status,
    age(nowMs - createdAtMs),
    short(parameters['caption'] ?? ''),
    children.join(', ') || short(parameters['image_url'] ?? parameters['video_url'] ?? ''),
  ];
}

function postCells({ id, account, mediaType, postedAtMs, caption, containerId, permalink }: Post, nowMs: number) {
  return [id, account, mediaType, age(nowMs - postedAtMs), short(caption ?? ''), containerId, permalink];
}

function table({ caption, head, rows }: { caption: string; head: string[]; rows: string[][] }): string {
  const body = rows.map(([first = '', ...rest]) => {
    const cells = rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('');
    return `<tr><th scope="row">${escapeHtml(first)}</th>${cells}</tr>`;
  });
  const heads = head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const none = rows.length > 0 ? '' : '<p>None yet.</p>';
  return `<section><table><caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table>${none}</section>`;
}

function newest<T>(items: readonly T[]): T[] {
  return items.slice(-MAX_ROWS).reverse();
}

function short(text: string): string {
  const characters = [...text];
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT).join('')}…` : text;
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
