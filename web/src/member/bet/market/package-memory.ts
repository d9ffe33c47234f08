import type { ProductGroup } from '@megalot/contract'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { PACKAGE_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { readStoredText } from '../../../lib/device/stored-value.ts'

/** The reward rate last used on this device for a kind of market. */
export function lastPackageOf(group_code: ProductGroup): string | null {
  return readStoredText(PACKAGE_KEY_PREFIX + group_code)
}

export function rememberPackage(group_code: ProductGroup, package_code: string): void {
  keepOnDevice(PACKAGE_KEY_PREFIX + group_code, package_code)
}
