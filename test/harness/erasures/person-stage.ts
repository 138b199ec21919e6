import type { ExecutionContext } from 'ava';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { type PersonExportLine, personExportLine } from '../../../openapi/erasures/export-routes.ts';
import type { ApiCall } from '../api/api.ts';
import { type ChannelStageOptions, channelStage } from '../api/stages.ts';
import { testHotPool } from '../database/hot-pool.ts';
import { rememberingLog } from '../quiet-log.ts';

/** Exports and erases persons. `arrive` accepts envelopes of the platform. */
export async function personStage(t: ExecutionContext, options: ChannelStageOptions = {}) {
  const stage = await channelStage(t, options);
  const { db, call, key, org } = stage;
  const pool = testHotPool(t, stage.databaseUrl);
  const events = createPlatformEvents({ pool, log: rememberingLog() });
  t.teardown(() => events.idle());
  const reason = 'asked for';
  const route = `POST ${org}/person-exports`;
  const exported = async (sender: string, body: object = {}, by: ApiCall = { key }): Promise<PersonExportLine[]> => {
    const { status, headers, body: text } = await call(route, { ...by, body: { sender, reason, ...body } });
    t.is(status, 200);
    t.is(headers.get('content-type'), 'application/x-ndjson');
    return String(text).trimEnd().split('\n').map((line) => personExportLine.parse(JSON.parse(line))); // prettier-ignore
  };
  const create = async (scope: object, more: object = {}) =>
    (await call(`POST ${org}/erasures`, { key, body: { scope, reason, ...more } })).body;
  const finish = async (erasureId: string) => {
    while ((await eraseSlice(db, erasureId, { lateMs: 0 }))?.status === 'erasing');
    return (await call(`GET ${org}/erasures/${erasureId}`, { key })).body;
  };
  return {
    ...stage,
    pool,
    reason,
    route,
    exported,
    create,
    finish,
    erase: async (scope: object) => (await finish((await create(scope)).erasureId)).erased,
    async arrive(...envelopes: readonly object[]) {
      for (const envelope of envelopes) await events.accept(Buffer.from(JSON.stringify(envelope)));
    },
  };
}
