import type { BulkOutcome, BulkResult } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import classes from './people.module.css'

const statuses = ['NORMAL', 'DISABLED_BET', 'SUSPENDED'] as const

/** What a change makes of a user, in words. */
function useStateText(): (state: Record<string, unknown>) => string {
  const t = useTranslations('people')
  const shell = useTranslations('shell')
  return (state) => {
    const { own_status, credit_limit_satang, packages, display_name } = state
    const status = statuses.find((one) => one === own_status)
    if (status !== undefined) return shell(`status.${status}`)
    if (typeof credit_limit_satang === 'number') return formatBaht(credit_limit_satang)
    if (Array.isArray(packages)) return packages.length === 0 ? t('no_packages') : packages.join(', ')
    if (typeof display_name === 'string') return display_name
    return '–'
  }
}

interface ChangeOutcomesProps {
  result: BulkResult
  nameOf: (user_id: number) => string
}

/** The outcome of a change, or of its preview, for each user. */
export function ChangeOutcomes({ result, nameOf }: ChangeOutcomesProps) {
  const t = useTranslations('people.change')
  const { is_preview, ok_count, refused_count, outcomes, messages } = result
  const below = outcomes.reduce((sum, { below_count }) => sum + below_count, 0)
  const refusalOf = ({ code }: BulkOutcome): string => messages.find((one) => one.code === code)?.message ?? code
  const textOf = useStateText()
  return (
    <div className={classes.form}>
      <p role="status" data-testid="outcome-count">
        {t(is_preview ? 'will' : 'did', { ok: ok_count, refused: refused_count })}
        {below > 0 && ` ${t('below', { count: below })}`}
      </p>
      {/* A list that is scrolled takes the focus, or the keyboard could not scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={classes.outcomes} tabIndex={0} aria-label={t(is_preview ? 'preview' : 'outcome')}>
        {outcomes.map((outcome) => (
          <li key={outcome.user_id}>
            <strong>{nameOf(outcome.user_id)}</strong>
            {outcome.code === 'ok' ? (
              <span>
                {textOf(outcome.before)} → {textOf(outcome.after)}
                {outcome.below_count > 0 && ` · ${t('below', { count: outcome.below_count })}`}
              </span>
            ) : (
              <span className={classes.refused}>{refusalOf(outcome)}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
