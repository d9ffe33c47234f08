/** As the server sends it: chances in millionths, each of a step of payouts. */
export interface Histogram {
  step_satang: number
  chances: readonly number[]
}

export interface HistogramBars {
  /** The middle of each step as a profit or, below 0, a loss; ascending. */
  results: number[]
  /** Chances in percent; null where there is none, or the step is of the other kind. */
  losses: (number | null)[]
  profits: (number | null)[]
}

const MILLIONTHS_OF_PERCENT = 10_000

/** Turns a histogram of payouts into one of profit and loss. @param net_satang the house's profit if no bet wins */
export function barsOfHistogram({ step_satang, chances }: Histogram, net_satang: number): HistogramBars {
  const steps = chances.map((chance, place) => ({
    result: net_satang - (place + 0.5) * step_satang,
    percent: chance === 0 ? null : chance / MILLIONTHS_OF_PERCENT,
  }))
  const ascending = steps.toReversed()
  return {
    results: ascending.map(({ result }) => result),
    losses: ascending.map(({ result, percent }) => (result < 0 ? percent : null)),
    profits: ascending.map(({ result, percent }) => (result < 0 ? null : percent)),
  }
}
