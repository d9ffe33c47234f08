import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useMemo, useSyncExternalStore } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Fact, Facts } from '../../../ui/layout.tsx'
import classes from './risk.module.css'
import { slotsOfTypes } from './use-board-rows.ts'
import type { Board } from './use-board.ts'

/** The stakes of each bet type, and the user's own part of them. */
export function TypeSums({ board: { store }, bet_types }: { board: Board; bet_types: readonly BetTypeCode[] }) {
  const t = useTranslations('risk')
  const language = useLocale()
  const amounts = useSyncExternalStore(store.subscribe, store.readAmounts)
  const slots = useMemo(() => slotsOfTypes(bet_types), [bet_types])
  const sums = useMemo(
    () =>
      [...slots].map(([code, ofType]) => {
        let [stake, own] = [0, 0]
        for (const slot of ofType) {
          stake += amounts.read(slot, 'stake')
          own += amounts.read(slot, 'own_stake')
        }
        return { code, stake, own }
      }),
    [amounts, slots],
  )
  return (
    <Facts className={classes.types} aria-label={t('types.label')}>
      {sums
        .filter(({ stake }) => stake > 0)
        .map(({ code, stake, own }) => (
          <Fact key={code} label={localizedName(betTypeByCode[code], language)} data-testid={`sum-${code}`}>
            {formatBaht(stake)}
            {own !== stake && <span className={classes.own}> {t('types.own', { amount: formatBaht(own) })}</span>}
          </Fact>
        ))}
    </Facts>
  )
}
