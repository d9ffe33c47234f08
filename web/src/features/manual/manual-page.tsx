export function ManualPage() {
  return <p>ManualPage</p>
}
