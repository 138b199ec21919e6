import { escapeHtml, htmlPage } from '../servers/html.ts';
import type { PostObject } from '../content/objects/store.ts';
import { statusOf, type Container } from './store.ts';

export interface MediaPage {
  readonly containers: readonly Container[];
  readonly posts: readonly PostObject[];
  readonly nowMs: number;
}

/** Longer tables are slow to refresh. */
const MAX_ROWS = 200;
const REFRESH_SECONDS = 5;
const MAX_TEXT = 80;

export function mediaPage({ containers, posts, nowMs }: MediaPage): string {
  return htmlPage({
    title: 'Platform simulator: media',
    everySeconds: REFRESH_SECONDS,
    body: `<p>The clock of the platform says <time>${escapeHtml(new Date(nowMs).toISOString())}</time>.</p>
${table({
  caption: `Containers (${containers.length})`,
  head: ['Container', 'Account', 'Kind', 'State', 'Age', 'Caption', 'Media'],
  rows: newest(containers).map((container) => containerCells(container, nowMs)),
})}
${table({
  caption: `Posts (${posts.length})`,
  head: ['Post', 'Account', 'Kind', 'Age', 'Caption', 'Container', 'Permalink'],
  rows: newest(posts).map((post) => postCells(post, nowMs)),
})}`,
  });
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

function postCells({ id, accountId, type, createdAtMs, text, containerId, permalink }: PostObject, nowMs: number) {
  return [id, accountId, type, age(nowMs - createdAtMs), short(text ?? ''), containerId ?? '', permalink];
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
