// A benchmark measures, names its figures, and sets goals for some of them.

export interface Goal {
  figure: string
  limit: number
  at: 'most' | 'least'
}

export interface Measured {
  figures: Readonly<Record<string, number>>
  /** Explanations of the figures. */
  notes?: Readonly<Record<string, string>>
  goals: readonly Goal[]
}

export interface BenchmarkContext {
  /** Reports progress on the terminal. */
  report: (line: string) => void
  /** A whole number given as `--name=7`, or the default. */
  readOption: (name: string, fallback: number) => number
  /** Adds the figure `broken_invariants`. Every benchmark that starts the application ends with it. */
  addBrokenInvariants: (count: number) => void
}

export interface Benchmark {
  name: string
  description: string
  run(context: BenchmarkContext): Promise<Measured>
}

export interface GoalResult {
  figure: string
  limit: number
  holds: boolean
}

/** @throws Error for a goal without a figure, which would otherwise pass unnoticed */
export function evaluateGoals({ figures, goals }: Measured): GoalResult[] {
  return goals.map(({ figure, limit, at }) => {
    const value = figures[figure]
    if (value === undefined || !Number.isFinite(value)) throw new Error(`the goal's figure ${figure} was not measured`)
    return { figure, limit, holds: at === 'most' ? value <= limit : value >= limit }
  })
}
