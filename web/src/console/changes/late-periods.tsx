import { useTranslations } from 'use-intl'
import { toRefusal } from '../../lib/errors/refusal.ts'

/** A market of rounds may have dozens; the first ones show which day it is. */
const SHOWN = 12

/** The periods for which a timetable was refused, because they would close after its draw: each is moved or closed first. */
export function LatePeriods({ error }: { error: unknown }) {
  const t = useTranslations('calendar.period_changes')
  const { code, details } = toRefusal(error)
  const codes = code === 'close_after_draw' ? details['period_codes'] : undefined
  if (!Array.isArray(codes)) return null
  const shown = codes.slice(0, SHOWN).join(', ')
  return (
    <p>
      {t('late', { count: codes.length })}: {codes.length > SHOWN ? `${shown} …` : shown}
    </p>
  )
}
