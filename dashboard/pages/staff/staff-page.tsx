import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Panel } from '../../kit/panel.tsx';
import { BulkReplayPanel } from './bulk-replay-panel.tsx';
import { desk, openDesk } from './desk.ts';
import { SearchPanel } from './search-panel.tsx';
import { StaffAuditPanel } from './staff-audit-panel.tsx';
import { UnroutedPanel } from './unrouted-panel.tsx';

/** Staff sign in with their key. The session of the person gives no access here. */
export function Page() {
  const opened = desk.value;
  const leave = opened && (
    <Button small onClick={() => (desk.value = null)}>
      Forget the key
    </Button>
  );
  return (
    <>
      <PageHeader title="Support" actions={leave}>
        {opened
          ? `Every call is recorded with your reason: ${opened.reason}`
          : 'For support staff. Customers see in their audit log what you read and did, and why.'}
      </PageHeader>
      {opened ? <OpenDesk key={opened.reason} /> : <KeyPanel />}
    </>
  );
}

function OpenDesk() {
  return (
    <>
      <SearchPanel />
      <BulkReplayPanel />
      <UnroutedPanel />
      <StaffAuditPanel />
    </>
  );
}

function KeyPanel() {
  const [key, setKey] = useState('');
  const [reason, setReason] = useState('');
  const opening = useAction(async () => openDesk(key.trim(), reason.trim()));
  return (
    <Panel title="Staff key">
      <Form action={opening} submit="Open">
        <TextField
          label="Staff key"
          hint="Kept in this tab only, until you reload or close it. The operator creates it."
          required
          isFirst
          pattern="\s*hmok_\S+\s*"
          title="A key that begins with hmok_"
          autoComplete="off"
          spellcheck={false}
          class="secret"
          value={key}
          onValue={setKey}
        />
        <TextField
          label="Reason"
          hint="A ticket number will do. It is recorded with every call."
          required
          maxLength={500}
          autoComplete="off"
          value={reason}
          onValue={setReason}
        />
      </Form>
    </Panel>
  );
}
