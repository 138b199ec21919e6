import { listen, type RunningServer } from '../../simulator/servers/http-server.ts';

export interface MediaPlatform extends RunningServer {
  readonly looks: () => number;
  readonly finishAll: () => void;
}

const FIRST_ID = 17_890_000_000_000_000;

/** Cheaper than the simulator, which stores its input. */
export async function startMediaPlatform(): Promise<MediaPlatform> {
  let made = 0;
  let looks = 0;
  let status = 'IN_PROGRESS';

  const server = await listen({
    port: 0,
    onRequest(request, response) {
      request.resume();
      request.on('end', () => {
        if (request.method === 'GET') looks++;
        const body = request.method === 'POST' ? { id: String(FIRST_ID + made++) } : { id: '1', status_code: status };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    },
  });
  return { ...server, looks: () => looks, finishAll: () => void (status = 'FINISHED') };
}
