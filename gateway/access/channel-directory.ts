import type { Knex } from 'knex';
import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import { isDatabaseUnavailable } from '../../db/core/database-unavailable.ts';
import { createGatewayContainers } from '../../db/containers/gateway-containers.ts';
import { createOpenToken } from '../../db/channels/open-token.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { readSchemaState } from '../../db/upkeep/schema-state.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { ChannelDirectory } from '../calls/deps.ts';
import { storageUnreachable } from '../calls/errors.ts';

interface DirectoryNeeds {
  readonly db: Knex;
  readonly pool: HotPool;
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
}

export function createChannelDirectory({ db, pool, secretBox, tokenSalt }: DirectoryNeeds): ChannelDirectory {
  const openToken = createOpenToken({ pool, secretBox, tokenSalt });
  const containers = createGatewayContainers(pool);
  return {
    openToken: (token) => orUnavailable(openToken(token)),
    containers: { ...containers, isOwn: (container) => orUnavailable(containers.isOwn(container)) },
    async refuseCredential({ channelId, reason, refusedToken }) {
      await refuseCredential(db, { of: { channelId }, reason, refused: { secretBox, token: refusedToken } });
    },
    schemaState: () => readSchemaState(db),
  };
}

async function orUnavailable<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? storageUnreachable(error) : error;
  }
}
