import type { ComponentChildren } from 'preact';
import { Form, TextField, useFields } from '../../kit/forms.tsx';
import { PageHeader, Tabs } from '../../kit/page.tsx';
import { Button, Panel } from '../../kit/parts.tsx';
import { type Desk, desk, openDesk } from './desk.ts';

interface StaffDeskProps {
  readonly title: string;
  readonly children: (opened: Desk) => ComponentChildren;
}

const tabs = [
  ['Support', '/app/staff'],
  ['Status', '/app/staff/status'],
] as const;

/** Staff sign in with their key. The session of the person gives no access here. */
export function StaffDesk({ title, children }: StaffDeskProps) {
  const opened = desk.value;
  const leave = opened && (
    <Button small onClick={() => (desk.value = null)}>
      Forget the key
    </Button>
  );
  return (
    <>
      <PageHeader title={title} actions={leave}>
        {opened
          ? `Every call is recorded with your reason: ${opened.reason}`
          : 'For support staff. Customers see in their audit log what you read and did, and why.'}
      </PageHeader>
      <Tabs label="Staff" tabs={tabs} />
      {opened ? children(opened) : <KeyPanel />}
    </>
  );
}

function KeyPanel() {
  const { fields, bind } = useFields({ key: '', reason: '' });
  return (
    <Panel title="Staff key">
      <Form act={async () => openDesk(fields.key.trim(), fields.reason.trim())} submit="Open">
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
          {...bind('key')}
        />
        <TextField
          label="Reason"
          hint="A ticket number will do. It is recorded with every call."
          required
          maxLength={500}
          autoComplete="off"
          {...bind('reason')}
        />
      </Form>
    </Panel>
  );
}
