// Percentages as people type them, and as the server keeps them: whole hundredths of a percent.

/** `12.5` → 1250; null where it is no percentage from 0 to 100 in steps of so many hundredths. */
export function readPercent(text: string, step: number): number | null {
  const found = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (found === null) return null
  const hundredths = Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
  return hundredths <= 10_000 && hundredths % step === 0 ? hundredths : null
}

/** The problem of a typed share, with the highest share allowed. */
export function positionProblem(position: string, line: string): 'percent_steps' | 'position_over' | null {
  const position_rate = readPercent(position, 50)
  if (position_rate === null) return 'percent_steps'
  return position_rate > (readPercent(line, 50) ?? 10_000) ? 'position_over' : null
}

/** 1250 → `12.5`. */
export function writePercent(hundredths: number): string {
  const fraction = String(hundredths % 100)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return `${Math.floor(hundredths / 100)}${fraction === '' ? '' : `.${fraction}`}`
}
