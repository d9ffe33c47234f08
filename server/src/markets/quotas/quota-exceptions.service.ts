// Quotas beside the standing ones of markets: of single periods, of packages, and of packages in single periods.

import type { PackageQuota, PeriodPackageQuota, PeriodQuota } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { getProduct } from '../index.ts'
import { listPackageQuotas, listPeriodPackageQuotas, listPeriodQuotas } from './quota-exceptions.store.ts'

/**
 * Quotas of packages, of single periods that take bets now or later, and of packages in such periods. @param product_code one market, or all of them
 * @throws Refusal unknown_product
 */
export async function listQuotaExceptions(
  db: Db,
  product_code?: string,
): Promise<{ packages: PackageQuota[]; periods: PeriodQuota[]; period_packages: PeriodPackageQuota[] }> {
  if (product_code !== undefined) await getProduct(db, product_code)
  const [packages, periods, period_packages] = await Promise.all([
    listPackageQuotas(db, product_code),
    listPeriodQuotas(db, product_code),
    listPeriodPackageQuotas(db, product_code),
  ])
  return { packages, periods, period_packages }
}
