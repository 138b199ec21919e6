import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import { Button } from '../../kit/button.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { apiIn } from '../../session/api.ts';
import { may, portal } from '../../session/portal.ts';
import { NotFound } from '../../kit/not-found.tsx';
import type { PageProps } from '../../routes/route.ts';
import { AttemptRequest } from './requests/attempt-request.tsx';
import { AttemptResponse } from './attempt-response.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { loadSentText } from './requests/load-sent-text.ts';
import { requestCurl } from './requests/request-curl.ts';
import { SignatureDialog } from './requests/signature-dialog.tsx';
import { unsignedCurl } from './requests/unsigned-curl.ts';
import { Neighbours } from './neighbours.tsx';
import { SentTogether } from './sent-together.tsx';
import { DeliveryTimeline } from './timeline/delivery-timeline.tsx';
import { statusTones, waitingReason } from './delivery-note.ts';

type Delivery = Schema<'Delivery'>;

const REFRESH_MS = 2_000;

export function Page({ params }: PageProps<'/app/:org/:ws/deliveries/:wd'>) {
  const { ws, wd } = params;
  const { value, error, reload } = useLoad(() => loadDelivery(ws, wd), [ws, wd]);
  const delivery = value?.delivery;
  const isWaiting = delivery?.status === 'pending' || delivery?.status === 'retrying';
  useRefresh(() => void reload(), isWaiting ? REFRESH_MS : null);
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  if (!delivery) {
    return (
      <>
        <PageHeader title="Delivery" />
        {error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Loading />}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Delivery"
        windowTitle={`Delivery ${wd}`}
        actions={
          <>
            <Neighbours deliveryId={wd} workspaceId={ws} />
            {may('deliveries.retry') && <DeliveryActions delivery={delivery} workspaceId={ws} onChanged={reload} />}
          </>
        }
      />
      <p class="under-title">
        <Badge tone={statusTones[delivery.status]}>{delivery.status}</Badge> <CopyableId id={wd} what="delivery ID" />
      </p>
      <Reason delivery={delivery} />
      <ErrorBox error={error} />
      <Exchange key={wd} delivery={delivery} requests={value.requests} workspaceId={ws} />
    </>
  );
}

function Reason({ delivery }: { readonly delivery: Delivery }) {
  const reason = waitingReason({ ...delivery, attemptCount: delivery.attempts.length }, new Date());
  if (reason === null) return null;
  return (
    <p class="notice apart" role="status">
      {reason}
    </p>
  );
}

async function loadDelivery(ws: string, wd: string) {
  const api = apiIn(ws);
  const params = { path: { wd } };
  const [delivery, { requests }] = await Promise.all([
    api.get('/deliveries/{wd}', { params }),
    // Their signatures are not for the customers of an organization.
    portal.value ? { requests: [] } : api.get('/deliveries/{wd}/requests', { params }),
  ]);
  return { delivery, requests };
}

interface ExchangeProps {
  readonly delivery: Delivery;
  readonly requests: readonly Schema<'SentRequest'>[];
  readonly workspaceId: string;
}

function Exchange({ delivery, requests, workspaceId }: ExchangeProps) {
  const { attempts, payload } = delivery;
  const [number, setNumber] = useState<number | null>(null);
  const chosen = attempts.find((one) => one.number === number) ?? attempts.at(-1);
  const request = requests.find(({ attempt }) => attempt === chosen?.number);
  return (
    <>
      <div class="delivery-story">
        <Panel title="Timeline">
          <DeliveryTimeline delivery={delivery} chosen={chosen?.number} onChoose={setNumber} />
        </Panel>
        <DeliveryDetails delivery={delivery} attempt={chosen} workspaceId={workspaceId} />
      </div>
      <div class="side-by-side">
        <Panel title={chosen ? `Response to attempt ${chosen.number}` : 'Response'}>
          {chosen ? <AttemptResponse attempt={chosen} /> : <p class="soft">No attempts yet.</p>}
          {chosen && <SentTogether attempt={chosen} delivery={delivery} workspaceId={workspaceId} />}
        </Panel>
        <Panel title="Payload" actions={<CopyCurl {...{ delivery, request, workspaceId }} />}>
          <JsonView text={payload} what="payload" />
        </Panel>
      </div>
      {request && <ChosenRequest {...{ delivery, request, workspaceId }} />}
    </>
  );
}

interface ChosenRequestProps {
  readonly delivery: Delivery;
  readonly request: Schema<'SentRequest'>;
  readonly workspaceId: string;
}

function ChosenRequest({ delivery, request, workspaceId }: ChosenRequestProps) {
  const [isChecking, setChecking] = useState(false);
  return (
    <>
      <Panel
        title={`Request of attempt ${request.attempt}`}
        actions={<Button onClick={() => setChecking(true)}>Check a signature</Button>}
      >
        <AttemptRequest request={request} />
      </Panel>
      {isChecking && (
        <SignatureDialog
          headers={request.headers}
          loadBody={() => loadSentText(apiIn(workspaceId), { ...delivery, request })}
          onClose={() => setChecking(false)}
        />
      )}
    </>
  );
}

interface CopyCurlProps {
  readonly delivery: Delivery;
  readonly request: Schema<'SentRequest'> | undefined;
  readonly workspaceId: string;
}

function CopyCurl({ delivery, request, workspaceId }: CopyCurlProps) {
  const what = request ? 'request as a curl command' : 'request as a curl command, without signatures';
  const text = request ? requestCurl(apiIn(workspaceId), { ...delivery, request }) : unsignedCurl(delivery);
  return (
    <CopyButton text={text} what={what}>
      Copy as curl
    </CopyButton>
  );
}
