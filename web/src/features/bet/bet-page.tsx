export function BetPage() {
  return <p>BetPage</p>
}
