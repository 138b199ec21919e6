import { ResourceNotFoundError, type ReadResourceResult, type Resource } from '@modelcontextprotocol/server';
import { agentGuide } from '../docs/agent-guide.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { openApiText } from '../../openapi/document/open-api-document.ts';

export interface DocumentShelf {
  readonly list: readonly Resource[];
  read(uri: string): ReadResourceResult;
}

export function documentShelf({ baseUrl, deployment }: ApiDeps): DocumentShelf {
  const guideUri = `${baseUrl}/auth.md`;
  const openApiUri = `${baseUrl}/openapi.json`;
  const texts: Readonly<Record<string, () => string>> = {
    [guideUri]: () => agentGuide(baseUrl),
    [openApiUri]: () => openApiText({ baseUrl, deployment }),
  };
  const list = [
    {
      uri: guideUri,
      name: 'agent-guide',
      title: 'Getting an API key as an agent',
      description: 'How an agent gets a key with scopes by email code, what each scope allows, and what errors mean.',
      mimeType: 'text/markdown',
    },
    {
      uri: openApiUri,
      name: 'openapi',
      title: 'OpenAPI document',
      description: 'All operations with their parameters, responses and error codes. Long.',
      mimeType: 'application/json',
    },
  ];
  return {
    list,
    read(uri) {
      const resource = list.find((one) => one.uri === uri);
      const text = texts[uri]?.();
      if (!resource || text === undefined) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, mimeType: resource.mimeType, text }] };
    },
  };
}
