// How unlikely a number of hits is: the exact upper tail of a sum of independent trials. Used by signals about wins.

/** Trials with the same chance to hit. */
export interface Trials {
  /** A whole number, 0 or more. */
  count: number
  /** 0 to 1. */
  chance: number
}

/**
 * The probability of at least this many hits: P(X ≥ hits), where X counts the hits of all trials. One group gives the
 * binomial distribution, several the Poisson binomial one. Exact except for rounding of doubles: every step adds and
 * multiplies non-negative numbers, so a tail of 1e-12 is as precise as one of 0.5.
 * Takes `hits` steps for each trial.
 * @throws RangeError for hits or a count that is not a whole number from 0, or a chance outside 0 to 1
 */
export function chanceOfAtLeast(hits: number, groups: readonly Trials[]): number {
  if (!Number.isSafeInteger(hits) || hits < 0) throw new RangeError(`${hits} hits cannot be counted`)
  for (const { count, chance } of groups)
    if (!Number.isSafeInteger(count) || count < 0 || !(chance >= 0 && chance <= 1))
      throw new RangeError(`${count} trials with a chance of ${chance}`)
  if (hits === 0) return 1
  // The probability of each count below `hits`. The last entry is `hits` or more, which later trials cannot leave.
  const chanceOf = new Float64Array(hits + 1)
  chanceOf[0] = 1
  for (const { count, chance } of groups)
    for (let trial = 0; trial < count; trial += 1) {
      chanceOf[hits]! += chanceOf[hits - 1]! * chance
      for (let found = hits - 1; found > 0; found -= 1)
        chanceOf[found] = chanceOf[found]! * (1 - chance) + chanceOf[found - 1]! * chance
      chanceOf[0] *= 1 - chance
    }
  return chanceOf[hits]!
}
