export function GrantsPage() {
  return <h1>Grants</h1>;
}
