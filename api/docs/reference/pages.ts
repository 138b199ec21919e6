import {
  type Chapter,
  chaptersOf,
  type Content,
  type Parameter,
  type PlacedOperation,
  type ReferenceDocument,
  resolvedResponse,
  type Response,
} from './document.ts';
import { fieldsOf, typeOf, valuesOf } from './fields.ts';
import { type Html, html, inline, prose } from './html.ts';
import { languages, requestOf } from './samples.ts';

export interface ReferencePage {
  readonly title: string;
  readonly body: Html;
}

/** Returns the page of a chapter, or the start. */
export function referencePage(document: ReferenceDocument, slug: string): ReferencePage {
  const chapters = chaptersOf(document);
  const current = chapters.find((chapter) => chapter.slug === slug);
  if (!current)
    return { title: 'API reference', body: withContents(chapters, { body: startBody(document, chapters) }) };
  const body = html`<h1>${current.name}</h1>
    ${prose(current.description)}${current.operations.map((placed) => operationSection(document, placed))}`;
  return { title: current.name, body: withContents(chapters, { body, current }) };
}

function startBody({ info, components, servers }: ReferenceDocument, chapters: readonly Chapter[]): Html {
  const own = (servers[0]?.url ?? '').replace(/\/$/, '');
  // Links to this installation, such as to its guides, need no address.
  const description = (info.description ?? '').replaceAll(`](${own}/`, '](/');
  const schemes = Object.entries(components.securitySchemes).map(
    ([name, { description = '' }]) =>
      html`<li>
        <code class="name">${name}</code>
        <div>${inline(description)}</div>
      </li>`,
  );
  return html`<h1>${info.title}</h1>
    <p class="soft">Version ${info.version}</p>
    ${prose(description)}
    <h2 id="authentication">Authentication</h2>
    <ul class="fields">
      ${schemes}
    </ul>
    ${chapters.map(
      (chapter) =>
        html`<h2>${chapterLink(chapter)}</h2>
          ${prose(chapter.description)}
          <ul class="operations">
            ${chapter.operations.map((placed) => html`<li>${operationLink(chapter, placed)} <span class="soft">${placed.isReceived ? '' : placed.path}</span></li>`)}
          </ul>`,
    )}`;
}

interface Contents {
  readonly body: Html;
  readonly current?: Chapter;
}

function withContents(chapters: readonly Chapter[], { body, current }: Contents): Html {
  const groups = [...new Set(chapters.map(({ group }) => group))];
  return html`<div class="reference">
    <nav class="contents" aria-label="Operations" id="contents">
      <label>Find an operation <input type="search" id="find" autocomplete="off" placeholder="Name or path" /></label>
      <p id="found" role="status"></p>
      ${groups.map(
        (group) =>
          html`<p class="group">${group}</p>
            ${chapters
              .filter((chapter) => chapter.group === group)
              .map(
                (chapter) => html`<details${chapter === current && ' open'}><summary>${chapter.name}</summary><ul>
${chapter.operations.map((placed) => html`<li data-words="${wordsOf(placed)}">${operationLink(chapter, placed)}</li>`)}</ul></details>`,
              )}`,
      )}
    </nav>
    <main id="main">${body}</main>
  </div>`;
}

/** What the search looks in, besides the name. */
function wordsOf({ operation, path, method }: PlacedOperation): string {
  const [sentence = ''] = (operation.description ?? '').split('. ', 1);
  return `${operation.summary} ${method} ${path} ${operation.operationId} ${sentence}`.toLowerCase();
}

const addressOf = (chapter: Chapter): string => `/docs/${chapter.slug}`;
const chapterLink = (chapter: Chapter): Html => html`<a href="${addressOf(chapter)}">${chapter.name}</a>`;

function operationLink(chapter: Chapter, { operation, method, isReceived }: PlacedOperation): Html {
  return html`<a href="${addressOf(chapter)}#${operation.operationId}"
    ><span class="method ${method}">${isReceived ? 'call' : method}</span> ${operation.summary}</a
  >`;
}

function operationSection(document: ReferenceDocument, placed: PlacedOperation): Html {
  const { operation, method, path, isReceived } = placed;
  const { parameters = [], requestBody, description, operationId } = operation;
  return html`<section id="${operationId}" aria-labelledby="${operationId}-title">
    <h2 id="${operationId}-title"><a href="#${operationId}">${operation.summary}</a></h2>
    <p class="place"><span class="method ${method}">${method}</span> <code>${path}</code></p>
    ${description !== undefined && prose(description)}
    <div class="columns">
      <div>
        ${parametersOf(document, parameters)}
        ${
          requestBody &&
          html`<h3>Body</h3>
            ${requestBody.description !== undefined && prose(requestBody.description)}${contentFields(document, requestBody.content)}`
        }
        ${responsesOf(document, operation.responses)}
      </div>
      <div class="side">
        ${isReceived ? exampleOf('Body', requestBody?.content) : samplesOf(document, placed)}
        ${Object.entries(operation.responses)
          .filter(([status]) => status.startsWith('2'))
          .map(([status, response]) => exampleOf(`Response ${status}`, resolvedResponse(document, response).content))}
      </div>
    </div>
  </section>`;
}

const placeNames = { path: 'Path', query: 'Query', header: 'Headers', cookie: 'Cookies' } as const;

function parametersOf({ components }: ReferenceDocument, parameters: readonly Parameter[]): Html {
  const walk = { schemas: components.schemas, seen: [] };
  const lists = (['path', 'query', 'header', 'cookie'] as const).map((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return undefined;
    const items = own.map(
      ({ name, required, description, schema, example }) =>
        html`<li>
          <code class="name">${name}</code>
          <span class="type">${typeOf(walk, schema)}${!required && ', optional'}</span>
          ${description !== undefined && html`<div>${inline(description)}</div>`}${valuesOf(walk, schema)}${example !== undefined && html`<div class="values">Example: <code>${String(example)}</code></div>`}
        </li>`,
    );
    return html`<h3>${placeNames[place]}</h3>
      <ul class="fields">
        ${items}
      </ul>`;
  });
  return html`${lists}`;
}

function contentFields({ components }: ReferenceDocument, content: Content): Html {
  return html`${Object.entries(content).map(
    ([type, { schema }]) =>
      html`<p class="soft">${type}</p>
        ${schema && fieldsOf(components.schemas, schema)}`,
  )}`;
}

function responsesOf(document: ReferenceDocument, responses: PlacedOperation['operation']['responses']): Html {
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    response: resolvedResponse(document, response),
  }));
  const good = all.filter(({ status }) => status.startsWith('2'));
  const others = all.filter(({ status }) => !status.startsWith('2'));
  return html`${good.map(
    ({ status, response }) =>
      html`<h3>Response ${status}</h3>
        ${prose(`${response.description.replace(/\.$/, '')}.`)}${
          response.content &&
          html`<details>
            <summary>Fields of the response</summary>
            ${contentFields(document, response.content)}
          </details>`
        }`,
  )}${
    others.length > 0 &&
    html`<h3>Other responses</h3>
      <ul class="fields">
        ${others.map(refusalItem)}
      </ul>`
  }`;
}

function refusalItem({ status, response }: { readonly status: string; readonly response: Response }): Html {
  const codes = Object.keys(response.content?.['application/json']?.examples ?? {});
  const links = codes.map(
    (code, index) => html`${index > 0 && ', '}<a href="/guides/errors#${code.toLowerCase()}">${code}</a>`,
  );
  return html`<li><code class="name">${status}</code> ${links.length > 0 ? links : inline(response.description)}</li>`;
}

function samplesOf({ servers }: ReferenceDocument, placed: PlacedOperation): Html {
  const request = requestOf(servers[0]?.url ?? '', placed);
  return html`<div class="samples">
    <label class="language"
      >Request in
      <select>
        ${languages.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
      </select></label
    >
    <button type="button" class="copy" hidden>Copy</button>
    ${languages.map(({ id, sample }) => html`<pre data-language="${id}" ${id !== 'curl' && ' hidden'} tabindex="0"><code>${sample(request)}</code></pre>`)}
  </div>`;
}

function exampleOf(title: string, content: Content = {}): Html {
  const values = Object.values(content).map(
    ({ example, examples = {} }) => example ?? Object.values(examples)[0]?.value,
  );
  const texts = values
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)));
  return html`${texts.map(
    (text) =>
      html`<p class="example">${title}</p>
        <pre tabindex="0"><code>${text}</code></pre>`,
  )}`;
}
