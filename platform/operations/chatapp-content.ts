import { Readable } from 'node:stream';
import { z } from 'zod';
import { upstreamChatappWord } from '../client/chatapp-word.ts';
import type { TemplateBody, TemplateQuery } from '../../openapi/operations/chatapp-routes.ts';
import type { PlatformFile } from '../client/client.ts';
import type { AccountClient } from './account-client.ts';
import { id, text, success } from './answer-fields.ts';
import { type ListPage, readList } from './list.ts';
import { multipartOf, type UploadedFile } from './multipart.ts';

const template = z.object({
  id,
  name: z.string(),
  language: text,
  status: text,
  category: text,
  components: z.array(z.record(z.string(), z.unknown())).catch([]),
});

export async function listTemplates(
  client: AccountClient,
  { name, ...page }: TemplateQuery,
): Promise<ListPage<TemplateBody>> {
  return await readList(client, {
    path: [await client.businessId(), 'message_templates'],
    query: { fields: 'id,name,language,status,category,components', ...(name !== undefined && { name }) },
    item: template,
    page,
  });
}

export async function uploadFile(client: AccountClient, file: UploadedFile): Promise<{ readonly mediaId: string }> {
  const { headers, body } = multipartOf(file);
  const path = [client.resourceId, 'media'];
  const { id: mediaId } = await client.transfer(z.object({ id }), { path, headers, stream: Readable.from(body) });
  return { mediaId };
}

const fileAnswer = z.object({ url: z.string(), mime_type: text });

export async function downloadFile(client: AccountClient, mediaId: string): Promise<PlatformFile> {
  // With the number's id, the platform returns only files of that number.
  const found = await client.read(fileAnswer, { path: [mediaId], query: { phone_number_id: client.resourceId } });
  const file = await client.download(['file', mediaId], client.address(found.url));
  return { ...file, contentType: found.mime_type ?? file.contentType };
}

/** Registers the number for messaging. Harmless to repeat with the same PIN, which becomes that of a number without one. */
export async function registerNumber(client: AccountClient, pin: string): Promise<void> {
  const json = { messaging_product: upstreamChatappWord, pin };
  await client.mark(success, { path: [client.resourceId, 'register'], json });
}
