export function AwardsPage() {
  return <p>AwardsPage</p>
}
