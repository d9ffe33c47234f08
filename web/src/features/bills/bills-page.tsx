export function BillsPage() {
  return <p>BillsPage</p>
}
