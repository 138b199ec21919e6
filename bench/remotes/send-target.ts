import { listen, type RunningServer } from '../../simulator/servers/http-server.ts';

const answer = Buffer.from(
  JSON.stringify({
    messaging_product: 'chatapp',
    contacts: [{ input: '15550100001', wa_id: '15550100001' }],
    messages: [{ id: 'wamid.HBgLMTU1NTAxMDAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA' }],
  }),
);

export async function startSendTarget(): Promise<RunningServer> {
  return await listen({
    port: 0,
    onRequest(request, response) {
      request.resume();
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
      });
    },
  });
}
