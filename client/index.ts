/** The entry point of the package that `dev/packages/client` publishes. Code in this repository imports the files. */
export type { components, paths } from './api-types.ts';
export { type ApiClient, type ClientOptions, createClient, type Schema } from './create-client.ts';
export { followDeliveries, type FollowDeliveries, type FollowedDelivery } from './delivery-stream.ts';
export { ApiError, type ErrorCode, NetworkError } from './errors.ts';
export { everyRecord, records } from './pages.ts';
