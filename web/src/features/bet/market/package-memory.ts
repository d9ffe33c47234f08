import { PACKAGE_KEY_PREFIX } from '../../../lib/device/storage-keys.ts'

/** The reward rate last picked for a market on this device, so that it need not be picked for every period. */
export function lastPackageOf(product_code: string): string | null {
  return localStorage.getItem(PACKAGE_KEY_PREFIX + product_code)
}

export function rememberPackage(product_code: string, package_code: string): void {
  localStorage.setItem(PACKAGE_KEY_PREFIX + product_code, package_code)
}
