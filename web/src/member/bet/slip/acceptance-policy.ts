import type { OnChange } from '@megalot/contract'
import { DEFAULT_ON_CHANGE } from '@megalot/contract/browser'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { deviceStorage } from '../../../lib/device/device-storage.ts'
import { ON_CHANGE_KEY } from '../../../lib/device/page-storage-keys.ts'

/** Choices if the house accepts less, or at another rate, than shown; the safest for the member first. */
export const acceptancePolicies = ['ask', 'accept_if_not_worse', 'accept'] as const satisfies readonly OnChange[]

const useWishes = create<{ of_user: Readonly<Record<string, OnChange>> }>()(
  persist((): { of_user: Readonly<Record<string, OnChange>> } => ({ of_user: {} }), {
    name: ON_CHANGE_KEY,
    storage: deviceStorage(),
  }),
)

/** Chosen once by each member on this device; until then the ticket waits where something is worse. */
export function useAcceptancePolicy(user_id: number): OnChange {
  const wish = useWishes((state) => state.of_user[user_id])
  return wish !== undefined && acceptancePolicies.includes(wish) ? wish : DEFAULT_ON_CHANGE
}

export function chooseAcceptancePolicy(user_id: number, wish: OnChange): void {
  useWishes.setState(({ of_user }) => ({ of_user: { ...of_user, [user_id]: wish } }))
}
