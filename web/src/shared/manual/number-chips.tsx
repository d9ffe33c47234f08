import { useTranslations } from 'use-intl'
import { Row } from '../../ui/layout.tsx'
import classes from './manual-page.module.css'

interface NumberChipsProps {
  numbers: readonly string[]
  /** How many are shown; of the others only that they are there. */
  most?: number
}

export function NumberChips({ numbers, most = numbers.length }: NumberChipsProps) {
  const t = useTranslations('manual')
  return (
    <Row as="span" gap={6}>
      {numbers.slice(0, most).map((number) => (
        <span key={number} className={classes.number}>
          {number}
        </span>
      ))}
      {numbers.length > most && <span>{t('more', { count: numbers.length - most })}</span>}
    </Row>
  )
}
