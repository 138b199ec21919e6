import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { redactedVariables } from '../../../contract/deliveries/curl-command.ts';
import { previewOf } from '../../../contract/deliveries/preview.ts';
import { useLoad } from '../../kit/calls.ts';
import { useShortcut } from '../../kit/commands/shortcuts.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { Icon } from '../../kit/icon.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { DetailPage, PageHeader } from '../../kit/page.tsx';
import { Badge, Button, CopyableId, CopyButton, ErrorBox, Panel } from '../../kit/parts.tsx';
import type { PageProps } from '../../routes/route.ts';
import { navigate } from '../../routes/router.ts';
import { apiIn } from '../../session/api.ts';
import { usePlace } from '../../session/page-outlet.tsx';
import { may, portal } from '../../session/portal.ts';
import { AttemptResponse } from './attempt-response.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { statusTones, waitingReason } from './delivery-note.ts';
import { DeliveryTimeline } from './delivery-timeline.tsx';
import { loadSentText, requestCurl } from './sent-request.ts';
import { unsignedCurl } from './unsigned-curl.ts';
import { SignatureDialog } from './signature-dialog.tsx';
import type { Attempt } from './timeline.ts';
import { neighboursOf } from './use-delivery-feed.ts';

type Delivery = Schema<'Delivery'>;

const REFRESH_MS = 2_000;

export function Page({ params }: PageProps<'/app/:org/:ws/deliveries/:wd'>) {
  const { ws, wd } = params;
  const loaded = useLoad(['delivery', ws, wd], () => loadDelivery(ws, wd), {
    everyMs: ({ delivery: { status } }) => (status === 'pending' || status === 'retrying') && REFRESH_MS,
  });
  return (
    <DetailPage title="Delivery" of={loaded}>
      {({ delivery, requests }) => (
        <>
          <PageHeader
            title={previewOf(delivery.payload) ?? 'Delivery'}
            windowTitle={`Delivery ${wd}`}
            actions={
              <>
                <Neighbours deliveryId={wd} />
                {may('deliveries.retry') && <DeliveryActions delivery={delivery} />}
              </>
            }
          />
          <p class="under-title">
            <Badge tone={statusTones[delivery.status]}>{delivery.status}</Badge>{' '}
            {delivery.replayOf !== null && <ReplayOf original={delivery.replayOf} />}{' '}
            {delivery.sender !== null && <span>from {delivery.sender}</span>} <CopyableId id={wd} what="delivery ID" />
          </p>
          <Reason delivery={delivery} />
          <ErrorBox error={loaded.error} />
          <Exchange key={wd} delivery={delivery} requests={requests} />
        </>
      )}
    </DetailPage>
  );
}

function ReplayOf({ original }: { readonly original: string }) {
  const { at } = usePlace();
  return (
    <span>
      <Badge>replay</Badge> of <a href={at(`deliveries/${original}`)}>{original}</a>
    </span>
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
}

function Exchange({ delivery, requests }: ExchangeProps) {
  const { attempts, payload } = delivery;
  const [number, setNumber] = useState<number | null>(null);
  const chosen = attempts.find((one) => one.number === number) ?? attempts.at(-1);
  const request = requests.find(({ attempt }) => attempt === chosen?.number);
  return (
    <>
      <div class="side-by-side">
        <div>
          <Panel title="Timeline">
            <DeliveryTimeline delivery={delivery} chosen={chosen?.number} onChoose={setNumber} />
          </Panel>
          <Panel title={chosen ? `Response to attempt ${chosen.number}` : 'Response'}>
            {chosen ? <AttemptResponse attempt={chosen} /> : <p class="soft">No attempts yet.</p>}
            {chosen && <SentTogether attempt={chosen} deliveryId={delivery.deliveryId} />}
          </Panel>
        </div>
        <div>
          <DeliveryDetails delivery={delivery} attempt={chosen} />
          <Panel title="Payload" actions={<CopyCurl {...{ delivery, request }} />}>
            <JsonView text={payload} what="payload" />
          </Panel>
        </div>
      </div>
      {request && <ChosenRequest {...{ delivery, request }} />}
    </>
  );
}

interface ChosenRequestProps {
  readonly delivery: Delivery;
  readonly request: Schema<'SentRequest'>;
}

function ChosenRequest({ delivery, request }: ChosenRequestProps) {
  const { api } = usePlace();
  const dialog = useDialog();
  const loadBody = () => loadSentText(api, { ...delivery, request });
  const check = () =>
    dialog.open((close) => <SignatureDialog headers={request.headers} loadBody={loadBody} onClose={close} />);
  return (
    <>
      <Panel
        title={`Request of attempt ${request.attempt}`}
        actions={<Button onClick={check}>Check a signature</Button>}
      >
        <AttemptRequest request={request} />
      </Panel>
      {dialog.shown}
    </>
  );
}

interface CopyCurlProps {
  readonly delivery: Delivery;
  readonly request: Schema<'SentRequest'> | undefined;
}

function CopyCurl({ delivery, request }: CopyCurlProps) {
  const { api } = usePlace();
  const what = request ? 'request as a curl command' : 'request as a curl command, without signatures';
  const text = request ? requestCurl(api, { ...delivery, request }) : unsignedCurl(delivery);
  return (
    <CopyButton text={text} what={what}>
      Copy as curl
    </CopyButton>
  );
}

/** Links to the delivery before and after it in the list from which it was opened. `k` and `j` follow them. */
function Neighbours({ deliveryId }: { readonly deliveryId: string }) {
  const { workspaceId, at } = usePlace();
  const { previous, next } = neighboursOf(workspaceId, deliveryId);
  const pathOf = (id: string) => at(`deliveries/${id}`);
  const go = (id: string | null): void => {
    if (id !== null) navigate(pathOf(id), { replace: true });
  };
  useShortcut({ keys: 'j', description: 'Next delivery of the list', run: () => go(next), isActive: next !== null });
  useShortcut({ keys: 'k', description: 'Previous delivery', run: () => go(previous), isActive: previous !== null });
  if (previous === null && next === null) return null;
  return (
    <nav class="neighbours" aria-label="Deliveries of the list">
      <Neighbour href={previous && pathOf(previous)} label="Previous delivery" hint="k" />
      <Neighbour href={next && pathOf(next)} label="Next delivery" hint="j" />
    </nav>
  );
}

interface NeighbourProps {
  readonly href: string | null;
  readonly label: string;
  readonly hint: string;
}

function Neighbour({ href, label, hint }: NeighbourProps) {
  if (href === null) return null;
  return (
    <a class={`button ${hint === 'k' ? 'upward' : ''}`} href={href} aria-label={label} title={`${label} (${hint})`}>
      <Icon name="down" />
    </a>
  );
}

interface SentTogetherProps {
  readonly attempt: Attempt;
  readonly deliveryId: string;
}

/** Links the other deliveries in the request of a debounced destination. */
function SentTogether({ attempt: { batch }, deliveryId }: SentTogetherProps) {
  const { at } = usePlace();
  const others = batch?.deliveryIds.filter((id) => id !== deliveryId) ?? [];
  if (others.length === 0) return null;
  return (
    <p>
      Sent together with{' '}
      {others.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={at(`deliveries/${id}`)}>{id}</a>
        </span>
      ))}
    </p>
  );
}

function AttemptRequest({ request }: { readonly request: Schema<'SentRequest'> }) {
  const { url, headers, bodySha256 } = request;
  const lines = Object.entries(headers);
  const variables = redactedVariables(headers);
  return (
    <div class="answer">
      <p>
        POST <code>{url}</code>
      </p>
      <details open>
        <summary>{lines.length} headers</summary>
        <dl class="headers">
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p>
        SHA-256 of the body: <CopyableId id={bodySha256} what="SHA-256 of the body" />
      </p>
      {variables.length > 0 && (
        <p class="soft">The curl command takes the values that are not recorded from {variables.join(', ')}.</p>
      )}
    </div>
  );
}
