import type { VoidRequest } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import classes from './oversight.module.css'

/** Who asked to void a ticket, when and why. */
export function VoidRequestNote({ request }: { request: VoidRequest }) {
  const t = useTranslations('oversight.bills.requests')
  const language = useLocale()
  const { requested_by, requested_at, reason } = request
  const at = formatInstant(requested_at, language, 'dayAndTime')
  return (
    <p className={classes.dim}>
      {t('asked', { username: requested_by, at })} <q>{reason}</q>
    </p>
  )
}
