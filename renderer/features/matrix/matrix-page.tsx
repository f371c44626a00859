export function MatrixPage() {
  return <h1>Matrix</h1>;
}
