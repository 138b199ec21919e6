/** For members of the lowest role, whom the service refuses. */
export function NoSecrets() {
  return (
    <p class="notice">
      You need the role of a developer in this workspace to see tokens and secrets. An admin of the workspace can change
      your role.
    </p>
  );
}
