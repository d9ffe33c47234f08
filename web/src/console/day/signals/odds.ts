// A probability as people read it: one in so many.

/** Beyond this the digits are no longer read, and the power of ten says more. */
const MAX_DIGITS = 12

const upToTwoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

/** The `so many` of `1 in so many`, from the logarithm to base 10 of a probability: −6 → `1,000,000`, −40.2 → `10^40`. */
export function writeOdds(chance_log10: number): string {
  const digits = 0 - chance_log10
  return digits > MAX_DIGITS ? `10^${Math.floor(digits)}` : upToTwoDigits.format(10 ** digits)
}
