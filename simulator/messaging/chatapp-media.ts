import { createHash, randomInt } from 'node:crypto';
import type { UploadedFile } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';

export interface StoredMedia {
  readonly id: string;
  readonly account: string;
  readonly mimeType: string;
  readonly content: Buffer;
  readonly sha256: string;
  readonly word: string;
}

export type ChatappMedia = ReturnType<typeof createChatappMedia>;

const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** Maximum bytes by content type. */
const sizes: readonly (readonly [RegExp, number])[] = [
  [/^image\/webp$/, 0.5 * MEGABYTE],
  [/^image\/(?:jpeg|png)$/, 5 * MEGABYTE],
  [/^audio\/(?:aac|amr|mpeg|mp4|ogg|opus)$/, MAX_KEPT_BYTES],
  [/^video\/(?:mp4|3gpp)$/, MAX_KEPT_BYTES],
  [/^text\/plain$/, MAX_KEPT_BYTES],
  [
    /^application\/(?:pdf|msword|vnd\.ms-(?:excel|powerpoint)|vnd\.openxmlformats-officedocument\.[\w.]+)$/,
    MAX_KEPT_BYTES,
  ],
];

export function createChatappMedia() {
  const kept = new Map<string, StoredMedia>();

  function shrink(): void {
    let bytes = [...kept.values()].reduce((sum, { content }) => sum + content.length, 0);
    for (const { id, content } of kept.values()) {
      if (bytes <= MAX_KEPT_BYTES) return;
      kept.delete(id);
      bytes -= content.length;
    }
  }

  return {
    /** Returns the id. */
    add({ account, type, file, word }: { account: string; type: string; file: UploadedFile; word: string }): string {
      const mimeType = checkedType(type, file);
      const { content } = file;
      const id = newMediaId();
      kept.set(id, {
        id,
        account,
        mimeType,
        content,
        sha256: createHash('sha256').update(content).digest('hex'),
        word,
      });
      shrink();
      return id;
    },
    find: (id: string) => kept.get(id),
    remove: (id: string) => kept.delete(id),
    clear: () => kept.clear(),
  };
}

/** A distinct form of id, so that deleted uploads are recognized. */
export function looksLikeChatappMedia(id: string): boolean {
  return /^66\d{14}$/.test(id);
}

function newMediaId(): string {
  const digits = (): string => randomInt(1e7).toString().padStart(7, '0');
  return `66${digits()}${digits()}`;
}

function checkedType(declared: string, file: UploadedFile): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(declared || file.type)?.[0].toLowerCase() ?? '';
  const max = sizes.find(([pattern]) => pattern.test(type))?.[1];
  if (max === undefined) {
    throw invalidParameter(
      `Param file must be a file with one of the supported types. Received file of type '${type}'.`,
    );
  }
  if (file.content.length === 0) throw invalidParameter('Param file is empty.');
  if (file.content.length > max) throw invalidParameter(`Param file is larger than ${max} bytes.`);
  return type;
}
