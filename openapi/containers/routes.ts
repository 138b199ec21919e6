import { containerErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  containerCreated,
  containerInput,
  containerList,
  containerListQuery,
  containerPublished,
  containerSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

const path = '/channels/{ch}/photoapp/containers';
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });

export const containerRoutes = defineRoutes('Media containers', {
  createContainer: {
    route: `POST ${path}`,
    summary: 'Creates a media container and waits until the platform accepts it',
    description:
      'Positions of user tags on other media than images are dropped, because the platform has no place for them.',
    access: managing,
    share: 'containers',
    body: containerInput,
    idempotent: true,
    location: 'The container, which exists even if the response is an error.',
    status: 201,
    answer: containerCreated,
    errors: containerErrors,
  },
  listContainers: {
    route: `GET ${path}`,
    summary: 'Lists the media containers of the channel, newest first',
    remarks: 'Filter by status to find those that wait or failed.',
    access: reading,
    query: containerListQuery,
    answer: containerList,
  },
  getContainer: {
    route: `GET ${path}/{ctr}`,
    summary: 'Returns a media container with its status',
    remarks: 'The status is refreshed on a schedule until the container is finished or has failed.',
    access: reading,
    answer: containerSchema,
  },
  publishContainer: {
    route: `POST ${path}/{ctr}/publish`,
    summary: 'Publishes a finished media container, at most once',
    remarks: 'Returns the same answer if the container is published already.',
    access: managing,
    share: 'containers',
    location: 'The container. Read it to learn the outcome.',
    answer: containerPublished,
    errors: [...containerErrors, 'CONTAINER_NOT_READY', 'CONTAINER_EXPIRED', 'CONTAINER_FAILED'],
  },
});
