export function BillPage() {
  return <p>BillPage</p>
}
