import type { ProductPeriod } from '@megalot/contract'
import { changeDraft, useDraft } from '../slip/slip-store.ts'
import type { SlipStore } from '../slip/slip-store.ts'
import { lastPackageOf, rememberPackage } from './package-memory.ts'

export interface Package {
  package_code: string
  name: string
}

/** The package of a slip, else the last one used for this kind of market. A member with a single package has no choice. */
export function usePickedPackage(
  store: SlipStore,
  { group_code }: ProductPeriod,
  packages: readonly Package[],
): string | null {
  const chosen = useDraft(store, (draft) => draft.package_code) ?? lastPackageOf(group_code)
  if (packages.some((one) => one.package_code === chosen)) return chosen
  return packages.length === 1 ? packages[0]!.package_code : null
}

/** Picks a package for a slip, and for later slips of this kind of market. */
export function pickPackage(store: SlipStore, { group_code }: ProductPeriod, package_code: string): void {
  rememberPackage(group_code, package_code)
  changeDraft(store, { package_code })
}
