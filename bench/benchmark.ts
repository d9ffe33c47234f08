// What a benchmark is: it measures, names its figures, and says which of them must hold.

export interface Goal {
  figure: string
  limit: number
  at: 'most' | 'least'
}

export interface Measured {
  figures: Readonly<Record<string, number>>
  /** What explains the figures, in words. */
  notes?: Readonly<Record<string, string>>
  goals: readonly Goal[]
}

export interface BenchmarkContext {
  /** Reports the progress to the person who waits. */
  report: (line: string) => void
  /** A whole number given as `--name=7`, or the default. */
  readOption: (name: string, fallback: number) => number
  /** Adds to the figure `broken_invariants`, which every benchmark that starts the application ends with. */
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

/** @throws Error for a goal whose figure was not measured: it would otherwise hold unnoticed */
export function evaluateGoals({ figures, goals }: Measured): GoalResult[] {
  return goals.map(({ figure, limit, at }) => {
    const value = figures[figure]
    if (value === undefined || !Number.isFinite(value)) throw new Error(`the goal's figure ${figure} was not measured`)
    return { figure, limit, holds: at === 'most' ? value <= limit : value >= limit }
  })
}
