import { betTypeByCode } from '@megalot/rules'
import type { Stake } from '@megalot/rules'
import { useLocale } from 'use-intl'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'

/** The columns and amounts of a number: "2 top 50 2 bottom 20". */
export function Stakes({ stakes }: { stakes: readonly Stake[] }) {
  const language = useLocale()
  return stakes.map(({ bet_type, bet_satang }) => (
    <span key={bet_type}>
      {localizedName(betTypeByCode[bet_type], language)} <b>{formatWholeBaht(bet_satang)}</b>{' '}
    </span>
  ))
}
