import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { deviceStorage } from '../../../lib/device-storage.ts'
import { BET_STYLE_KEY } from '../../../lib/storage-keys.ts'

// How the member enters numbers on this device: a thumb and ten fingers want different things.
//
//   grid      style A: a sheet of rows, for the keyboard
//   builder   style B: many numbers of one kind, then their stakes once
//   mobile    an own keypad, for one thumb

export const betStyles = ['grid', 'builder', 'mobile'] as const
export type BetStyle = (typeof betStyles)[number]

/** A small screen under a finger gets the keypad, everything else the grid. */
function usualStyle(): BetStyle {
  const isPhone = typeof matchMedia === 'function' && matchMedia('(pointer: coarse) and (max-width: 47.99em)').matches
  return isPhone ? 'mobile' : 'grid'
}

const useStyleStore = create<{ style: BetStyle | null }>()(
  persist((): { style: BetStyle | null } => ({ style: null }), { name: BET_STYLE_KEY, storage: deviceStorage() }),
)

export function useBetStyle(): BetStyle {
  const style = useStyleStore((state) => state.style)
  return style !== null && betStyles.includes(style) ? style : usualStyle()
}

export function chooseBetStyle(style: BetStyle): void {
  useStyleStore.setState({ style })
}
