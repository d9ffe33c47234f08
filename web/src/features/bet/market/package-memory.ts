import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { PACKAGE_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { readStoredText } from '../../../lib/device/stored-value.ts'

/** The reward rate last picked for a market on this device, so that it need not be picked for every period. */
export function lastPackageOf(product_code: string): string | null {
  return readStoredText(PACKAGE_KEY_PREFIX + product_code)
}

export function rememberPackage(product_code: string, package_code: string): void {
  keepOnDevice(PACKAGE_KEY_PREFIX + product_code, package_code)
}
