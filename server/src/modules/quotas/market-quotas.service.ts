// The standing quota of a market: how much is accepted on each number of a bet type, in every period without a quota of its own.

import type { ApprovalKind, MarketQuota, QuotaAmounts } from '@megalot/contract'
import { verifyCallerAgain } from '../../platform/call-origin.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import type { DecisionAuthority } from '../../platform/decision-authority.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { getProduct, lockPeriodsToBet } from '../markets/index.ts'
import { listPackageQuotas, listPeriodPackageQuotas, listPeriodQuotas } from './quota-exceptions.store.ts'
import { listMarketQuotas, lockMarketQuota, saveMarketQuota } from './market-quotas.store.ts'

/**
 * Sets how much is accepted on each number of a bet type of a market: its standing quota.
 * @throws Refusal unknown_product, bet_type_not_offered, approval_needed (one person alone, more than the present quota; or the
 * first one, and it or the quota of a period is more than a package has: from then on one person may raise that of the package up to it)
 */
export async function setQuota(
  db: Db,
  actor_id: number,
  { reason, ...quota }: MarketQuota & { reason?: string | undefined },
  authority: DecisionAuthority = 'alone',
): Promise<void> {
  const { bet_types } = await getProduct(db, quota.product_code)
  if (!bet_types.includes(quota.bet_type)) throw new Refusal('bet_type_not_offered')
  await inTransaction(db, async (tx) => {
    const before = await lockQuota(tx, quota)
    const kind: ApprovalKind = 'raise_quota'
    if (authority === 'alone' && (before ? isRaised(before, quota) : await isAbovePackage(tx, quota)))
      throw new Refusal('approval_needed', { kind, ...before })
    await saveMarketQuota(tx, quota)
    await verifyCallerAgain(tx)
    const subject = `product:${quota.product_code}`
    await writeAudit(tx, {
      actor_id,
      action: 'set_quota',
      subject,
      ...(before && { before }),
      after: quota,
      ...(reason === undefined ? {} : { reason }),
    })
  })
}

/**
 * Whether a package of the market has less for the bet type, also in a single period: less than the new quota, or than one of a period, which
 * needed nobody else as long as the market had none.
 */
async function isAbovePackage(tx: Tx, quota: MarketQuota): Promise<boolean> {
  const { product_code, bet_type } = quota
  const ofPackages = [
    ...(await listPackageQuotas(tx, product_code)),
    ...(await listPeriodPackageQuotas(tx, product_code)),
  ].filter((own) => own.bet_type === bet_type)
  const ofPeriods = (await listPeriodQuotas(tx, product_code)).filter((own) => own.bet_type === bet_type)
  return ofPackages.some((own) => [quota, ...ofPeriods].some((limit) => isRaised(own, limit)))
}

/**
 * The standing quota of a bet type, locked until the transaction ends: batches in flight are waited for, and later ones see
 * what is set. Undefined: there is none.
 */
export async function lockQuota(
  tx: Tx,
  key: Pick<MarketQuota, 'product_code' | 'bet_type'>,
): Promise<MarketQuota | undefined> {
  await lockPeriodsToBet(tx, key.product_code)
  return lockMarketQuota(tx, key)
}

const all = ({ full_satang, half_satang }: QuotaAmounts) => full_satang + half_satang

/** Whether more is accepted than before, at the full rate or in all. Without a limit everything is. @param after null: no limit */
export function isRaised(before: QuotaAmounts | undefined, after: QuotaAmounts | null): boolean {
  if (!before) return false
  if (after === null) return true
  return after.full_satang > before.full_satang || all(after) > all(before)
}

export function listQuotas(db: Db): Promise<MarketQuota[]> {
  return listMarketQuotas(db)
}
