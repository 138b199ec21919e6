import type { ComponentChildren } from 'preact';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Panel } from '../../kit/panel.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { api } from '../../session/api.ts';
import { config } from '../../session/config.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import type { Overview } from './use-overview.ts';

interface FirstStepsProps {
  readonly organizationId: string;
  readonly workspaceId: string | undefined;
  readonly channels: Overview['channels'];
}

/** Each step has a tick once it is done, and the first one that is not has a button. */
export function FirstSteps({ organizationId, workspaceId, channels }: FirstStepsProps) {
  const { connected, withDestination, firstId, firstWorkspaceId } = channels;
  const channelPath =
    firstId === null || firstWorkspaceId === null
      ? null
      : workspacePath(organizationId, firstWorkspaceId, `channels/${firstId}/webhook`);
  const [hasChannel, hasWebhook] = [connected > 0, withDestination > 0];
  return (
    <Panel title="First steps">
      <ol class="first-steps">
        <Step
          isDone={hasChannel}
          title={config.value.hasSimulator ? 'Connect a simulated account' : 'Connect an account'}
        >
          {!hasChannel && <ConnectStep organizationId={organizationId} workspaceId={workspaceId} />}
        </Step>
        <Step isDone={hasWebhook} title="Set the webhook that receives events">
          {hasChannel && !hasWebhook && channelPath !== null && (
            <a class="button primary" href={channelPath}>
              Set webhook
            </a>
          )}
        </Step>
        <Step isDone={false} title="Send a test event">
          {hasWebhook && channelPath !== null && (
            <a class="button primary" href={channelPath}>
              Send test event
            </a>
          )}
        </Step>
        <Step isDone={false} title="See the first delivery here" />
      </ol>
    </Panel>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly children?: ComponentChildren;
}

function Step({ isDone, title, children }: StepProps) {
  return (
    <li class={isDone ? 'first-step done' : 'first-step'}>
      <span class="mark">{isDone && <Icon name="check" />}</span>
      <span>
        {title}
        {isDone && <span class="hidden"> (done)</span>}
      </span>
      {children}
    </li>
  );
}

function ConnectStep({ organizationId: org, workspaceId }: Omit<FirstStepsProps, 'channels'>) {
  const { role } = useOrganization();
  const connect = useAction(async () => {
    const body = { label: 'Simulated account', channelType: 'chatapp' as const, maxUses: 1 };
    const { url } = await api.post('/organizations/{org}/onboarding-links', {
      params: { path: { org } },
      body: { ...body, ...(workspaceId !== undefined && { workspaceId }) },
    });
    if (url !== null) location.assign(url);
  });
  if (role !== 'admin') return <span class="soft">An organization admin can create an onboarding link.</span>;
  if (!config.value.hasSimulator) {
    return (
      <a class="button primary" href={organizationPath(org, 'onboarding')}>
        Create onboarding link
      </a>
    );
  }
  return (
    <>
      <Button tone="primary" busy={connect.isBusy} onClick={() => void connect.run()}>
        Connect simulated account
      </Button>
      <ErrorBox error={connect.error} />
    </>
  );
}
