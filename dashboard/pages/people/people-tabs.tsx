import { Tabs } from '../../kit/page.tsx';
import { organizationPath } from '../../routes/paths.ts';

export function PeopleTabs({ org }: { readonly org: string }) {
  return (
    <Tabs
      label="People"
      tabs={[
        ['Members', organizationPath(org, 'members')],
        ['Invitations', organizationPath(org, 'invitations')],
      ]}
    />
  );
}
