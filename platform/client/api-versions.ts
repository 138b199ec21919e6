import type { ChannelType } from '../../contract/event-types.ts';

export const apiVersions: Readonly<Record<ChannelType, string>> = {
  chatapp: 'v22.0',
  photoapp: 'v25.0',
  pageapp: 'v25.0',
};
