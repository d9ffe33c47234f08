// The floods of log-ins.

/** Wrong log-ins per second and the number of addresses they come from, each in another subnet. */
export const floods = {
  '60_spread': { perSecond: 30, addresses: 60, burst: 1 },
  '200_spread': { perSecond: 100, addresses: 200, burst: 1 },
  bursts: { perSecond: 50, addresses: 200, burst: 100 },
} as const

export interface FloodTask {
  url: string
  /** Number of members. Half of the wrong log-ins use one of their names. */
  bettors: number
  flood: (typeof floods)[keyof typeof floods]
  seconds: number
}

/** Number of log-ins by refusal; `unknown`: no reply. */
export type Answers = Record<string, number>
