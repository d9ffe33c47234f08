// The floods of log-ins.

/** How many wrong log-ins a second come from how many addresses, each of another subnet. */
export const floods = {
  '60_spread': { perSecond: 30, addresses: 60, burst: 1 },
  '200_spread': { perSecond: 100, addresses: 200, burst: 1 },
  bursts: { perSecond: 50, addresses: 200, burst: 100 },
} as const

export interface FloodTask {
  url: string
  /** Members there are: every other wrong log-in has a name of one. */
  bettors: number
  flood: (typeof floods)[keyof typeof floods]
  seconds: number
}

/** How many log-ins were answered with which refusal; `unknown`: not at all. */
export type Answers = Record<string, number>
