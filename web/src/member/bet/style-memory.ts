import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { deviceStorage } from '../../lib/device/device-storage.ts'
import { BET_STYLE_KEY } from '../../lib/device/storage-keys.ts'
import { isBetStyle, usualStyle } from './entry-style-choice.ts'
import type { BetStyle } from './entry-style-choice.ts'

const useStyleStore = create<{ style: BetStyle | null }>()(
  persist((): { style: BetStyle | null } => ({ style: null }), { name: BET_STYLE_KEY, storage: deviceStorage() }),
)

export function useBetStyle(): BetStyle {
  const style = useStyleStore((state) => state.style)
  return isBetStyle(style) ? style : usualStyle()
}

export function currentBetStyle(): BetStyle {
  const { style } = useStyleStore.getState()
  return isBetStyle(style) ? style : usualStyle()
}

export function chooseBetStyle(style: BetStyle): void {
  useStyleStore.setState({ style })
}
