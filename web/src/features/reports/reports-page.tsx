export function ReportsPage() {
  return <p>ReportsPage</p>
}
