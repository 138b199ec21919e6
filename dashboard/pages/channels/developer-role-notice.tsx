export function DeveloperRoleNotice() {
  return (
    <p class="notice">
      You need the developer role in this workspace to see tokens and secrets. Ask a workspace admin to change your
      role.
    </p>
  );
}
