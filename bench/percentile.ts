/** The value below which `share` (0…1) of the values lie, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('no values to take a percentile of')
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Rounds to three significant figures; such measurements are no more precise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
