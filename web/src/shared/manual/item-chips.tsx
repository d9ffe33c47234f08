import { betTypeByCode } from '@megalot/rules'
import type { SlipLine } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatWholeBaht } from '../../lib/format/money.ts'
import { Row } from '../../ui/layout.tsx'
import classes from './manual-page.module.css'

interface ItemChipsProps {
  items: readonly SlipLine[]
  most: number
}

/** The items that a text makes: number, bet type, amount. */
export function ItemChips({ items, most }: ItemChipsProps) {
  const t = useTranslations('manual')
  const language = useLocale()
  if (items.length === 0) return null
  return (
    <Row as="ul" gap={[4, 14]}>
      {items.slice(0, most).map(({ bet_type, number, bet_satang }, place) => (
        // The same number may stand there twice.
        <li key={`${place} ${bet_type} ${number}`} className={classes.item}>
          <span className={classes.number}>{number}</span> {localizedName(betTypeByCode[bet_type], language)}{' '}
          <strong>{formatWholeBaht(bet_satang)}</strong>
        </li>
      ))}
      {items.length > most && <li>{t('more', { count: items.length - most })}</li>}
    </Row>
  )
}
