import type { AttackCase } from '../cases/attack-case.ts';
import { heldBy, refused } from './gateway-call.ts';
import type { World } from '../cases/world.ts';

/** Names a foreign object in every form a parser may understand. */
function namingBodies(foreign: string): readonly unknown[] {
  const post = `${foreign}_1`;
  return [
    ...[
      'comment_id',
      'post_id',
      'creation_id',
      'media_id',
      'object_id',
      'parent_id',
      'video_id',
      'page_id',
      'thread_id',
    ].flatMap((name) => [
      { [name]: post },
      { [name]: [post] },
      { [name.toUpperCase()]: post },
      { [`${name}[0]`]: post },
    ]),
    ...[{ comment_id: post }, { post_id: post }, { thread_key: `t_${foreign}` }].flatMap((recipient) => [
      { recipient },
      { recipient: JSON.stringify(recipient) },
      { recipient: JSON.stringify(JSON.stringify(recipient)) },
      { recipient: [recipient] },
    ]),
    { attached_media: [{ media_fbid: post }] },
    { attached_media: JSON.stringify([{ media_fbid: post }]) },
    { 'attached_media[0]': { media_fbid: post } },
    { 'recipient[comment_id]': post },
    { recipient: `{'comment_id':'${post}'}` },
    { recipient: `{"comment\\u005fid":"${post}"}` },
    { children: [post] },
    { object_attachment: post },
    { recipient: { comment_id: { $numberLong: post } } },
  ];
}

export function references(world: World): AttackCase[] {
  const held = heldBy(world);
  const { foreign } = held;
  const bodies = namingBodies(foreign);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return bodies.flatMap((body) => {
    const told = JSON.stringify(body);
    const entries = Object.entries(body as Record<string, unknown>);
    const text = entries.map(
      ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    );
    return ['messages', 'feed'].flatMap((edge) => [
      refused(held, `POST ${held.page}/${edge}`, {
        body: { message: 'x', ...(body as object) },
        name: `${edge}, JSON ${told}`,
      }),
      refused(held, `POST ${held.page}/${edge}`, {
        body: `message=x&${text.join('&')}`,
        headers: form,
        name: `${edge}, form ${told}`,
      }),
    ]);
  });
}

/** Multipart headers that parsers read differently, each with a forbidden name. */
export function multipart(world: World): AttackCase[] {
  const held = heldBy(world);
  const names = ['access_token', 'method', 'ids', 'batch', 'post_id'];
  const dispositions = names.flatMap((name) => [
    ...[`name="${name}"`, `name=${name}`, `name='${name}'`, `name="${name}`, `name=" ${name}"`, `name="${name}[]"`],
    ...[
      `name="\\${name}"`,
      `name="${name.slice(0, 2)}\\${name.slice(2)}"`,
      `name="x"; name="${name}"`,
      `name="${name}"; name="x"`,
    ],
    ...[
      `name*=utf-8''${name}`,
      `name="x"; name*=utf-8''${name}`,
      `name*0="${name.slice(0, 3)}"; name*1="${name.slice(3)}"`,
    ],
    ...[
      `NAME="${name}"`,
      `name ="${name}"`,
      `name= "${name}"`,
      `filename="x"; name="${name}"`,
      `filename="; name=x"; name="${name}"`,
    ],
    ...[`name="${name}\0"`, `name="x\\"; name="${name}"`, `name="${name.toUpperCase()}"`],
  ]);
  return dispositions.flatMap((disposition) =>
    [`content-disposition: form-data; ${disposition}`, `Content-Disposition:form-data;${disposition}`].map((header) => {
      const body = `--b\r\n${header}\r\n\r\nDELETE\r\n--b--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      return refused(held, `POST ${held.page}/photos`, {
        body,
        headers,
        name: `a part with ${JSON.stringify(header)}`,
      });
    }),
  );
}
