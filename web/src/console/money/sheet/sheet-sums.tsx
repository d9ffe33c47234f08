import type { getWeekSheet, TopLevelOf } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { Fact, Facts } from '../../../ui/layout.tsx'
import { Balance } from '../balance.tsx'
import classes from './sheet.module.css'

type Sums = TopLevelOf<typeof getWeekSheet>['sums']

/** What the week comes to. The figures have their places from the beginning. */
export function SheetSums({ sums }: { sums: Sums | undefined }) {
  const t = useTranslations('sheet.sum')
  const write = (name: 'collect_satang' | 'pay_satang' | 'received_satang' | 'paid_satang'): string =>
    sums === undefined ? '–' : formatBaht(sums[name])
  const own = sums?.own_satang ?? 0
  return (
    <Facts className={classes.sums} below={12} aria-label={t('label')}>
      <Fact label={t('collect', { count: sums?.collect_count ?? 0 })} data-tone="good" data-testid="sum-collect">
        {write('collect_satang')}
      </Fact>
      <Fact label={t('pay', { count: sums?.pay_count ?? 0 })} data-tone="warn" data-testid="sum-pay">
        {write('pay_satang')}
      </Fact>
      <Fact label={t('received')} className={classes.minor}>
        {write('received_satang')}
      </Fact>
      <Fact label={t('paid')} className={classes.minor}>
        {write('paid_satang')}
      </Fact>
      <Fact label={t('net')} className={classes.minor}>
        {sums === undefined ? '–' : <Balance satang={sums.net_satang} />}
      </Fact>
      <Fact label={t(own < 0 ? 'own_loss' : 'own')} data-testid="sum-own">
        {sums === undefined ? '–' : formatBaht(Math.abs(own))}
      </Fact>
      {sums?.pass_up_satang !== null && (
        <Fact label={t('above')}>
          {sums === undefined ? '–' : <Balance satang={0 - sums.pass_up_satang} isAbove />}
        </Fact>
      )}
    </Facts>
  )
}
