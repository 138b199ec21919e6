import { exportRoutes as routes } from '../../openapi/erasures/export-routes.ts';
import { findPersonIds, type PersonScope } from '../../db/erasures/person-scope.ts';
import { recordPersonExport } from '../../db/erasures/person-events.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';
import { createAccessWatch } from '../access/access-watch.ts';
import { auditContext } from '../access/audit-context.ts';
import { drainedStream } from '../deliveries/drained-stream.ts';
import { shareOwner } from '../requests/api-shares.ts';
import { HttpError } from '../requests/errors.ts';
import { type FileAnswer, type Mount, mountRoute, type RouteRequest } from '../routing/mount-route.ts';
import { findPlace } from './erasure-scope.ts';
import { personLines } from './person-lines.ts';

type ExportRequest = RouteRequest<typeof routes.exportPerson>;

const STALLED_MS = 60_000;
/** A slow reader must not keep one of the few slots. At 1 MB/s, 600 MB. */
const WHOLE_MS = 600_000;

/** The connection is cut if the export cannot be completed, so that the last line is missing. */
export function mountExportRoutes(mount: Mount): void {
  const { deps } = mount;
  const watch = createAccessWatch({ ...deps, everyMs: deps.accessCheckMs });

  mountRoute(mount, routes.exportPerson, async (request) => {
    const { principal, organization } = request;
    const place = await placeOf(request);
    const { credentialId, sessionId, userId } = principal;
    const owner = { credentialId, userId, organizationId: organization.id };
    const giveBack = deps.shares.personExports.take(shareOwner(request));
    try {
      const scope = await begin(request, place);
      const access = watch.watch({ ...owner, sessionId, workspaceId: null, channelId: null }, () => isRefused(request));
      return fileOf(request, {
        scope,
        ended: access.ended,
        onClosed: () => {
          access.stop();
          giveBack();
        },
      });
    } catch (error) {
      giveBack();
      throw error;
    }
  });

  async function placeOf({ organization, body }: ExportRequest) {
    const { workspaceId: workspace, channelId: channel } = body;
    return await findPlace(deps.db, { organizationId: organization.id, workspace, channel });
  }

  async function begin(request: ExportRequest, place: Pick<PersonScope, 'workspaceId' | 'channelId'>) {
    const { organization, body } = request;
    const audit = { ...auditContext(request), workspaceId: place.workspaceId, reason: body.reason };
    const createdAt = await recordPersonExport(deps.db, audit);
    const scope = { ...place, organizationId: organization.id, sender: plainPerson(body.sender), createdAt };
    return { ...scope, personIds: await findPersonIds(deps.db, { ...scope, sender: body.sender }) };
  }

  function fileOf(request: ExportRequest, { scope, ended, onClosed }: OpenExport): FileAnswer {
    const { workspaceId = null, channelId = null } = request.body;
    const lines = personLines(deps, {
      scope,
      shown: { workspaceId, channelId },
      signal: AbortSignal.any([request.gone(), ended, deps.shares.personExports.closing]),
    });
    const bytes = drainedStream(lines, {
      onStalled: () => void bytes.destroy(new Error('The client reads the export too slowly')),
      stalledMs: deps.streamTimes?.stalledMs ?? STALLED_MS,
      wholeMs: WHOLE_MS,
    });
    bytes.once('close', onClosed);
    return { bytes, contentType: 'application/x-ndjson', length: null };
  }
}

interface OpenExport {
  readonly scope: PersonScope;
  readonly ended: AbortSignal;
  readonly onClosed: () => void;
}

/** Other errors say nothing about access. */
async function isRefused(request: ExportRequest): Promise<boolean> {
  try {
    await request.checkAgain();
    return false;
  } catch (error) {
    return error instanceof HttpError;
  }
}
