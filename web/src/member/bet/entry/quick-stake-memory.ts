import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { deviceStorage } from '../../../lib/device/device-storage.ts'
import { QUICK_STAKES_KEY } from '../../../lib/device/page-storage-keys.ts'

const USUAL_STAKES: readonly number[] = [5, 10, 20, 50, 100, 500]

/** The amounts, in Baht, this device offers at one tap. */
export const useQuickStakes = create<{ baht: readonly number[] }>()(
  persist((): { baht: readonly number[] } => ({ baht: USUAL_STAKES }), {
    name: QUICK_STAKES_KEY,
    storage: deviceStorage(),
  }),
)

/** Keeps other amounts, the smallest first and each once; none at all brings back the usual ones. */
export function keepQuickStakes(baht: readonly number[]): void {
  const sorted = [...new Set(baht.filter((one) => one > 0))].sort((a, b) => a - b)
  useQuickStakes.setState({ baht: sorted.length === 0 ? USUAL_STAKES : sorted })
}
