import type { BulkOutcome, BulkResult } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { Stack } from '../../ui/layout.tsx'
import { Becomes } from '../changes/becomes.tsx'
import type { ChangeTask } from './change-task.ts'
import type { PeopleChange } from './queries.ts'
import classes from './people.module.css'

/** More rows than this help nobody and take long to draw. */
const MAX_SHOWN = 200

const statuses = ['NORMAL', 'DISABLED_BET', 'SUSPENDED'] as const

/** The effect of a change on a user, in words. */
function useStateText(): (state: Record<string, unknown>) => string {
  const t = useTranslations('people')
  const ofUser = useTranslations('user')
  return (state) => {
    const { own_status, credit_limit_satang, packages, display_name } = state
    const status = statuses.find((one) => one === own_status)
    if (status !== undefined) return ofUser(`status.${status}`)
    if (typeof credit_limit_satang === 'number') return formatBaht(credit_limit_satang)
    if (Array.isArray(packages)) return packages.length === 0 ? t('no_packages') : packages.join(', ')
    if (typeof display_name === 'string') return display_name
    return '–'
  }
}

interface ChangeOutcomesProps {
  task: ChangeTask
  change: PeopleChange
  result: BulkResult
}

/** Why a row is refused: of a credit limit the one cause with its amounts, of everything else the text of the code. */
function useRefusalText({ task, change, result }: ChangeOutcomesProps): (outcome: BulkOutcome) => string {
  const t = useTranslations('people.change')
  return ({ user_id, code, details }) => {
    const { least_satang, most_satang } = details
    const person = task.people.find((one) => one.user_id === user_id)
    const requested =
      change.kind === 'credit' && 'rows' in change ? change.rows.find((row) => row.user_id === user_id) : undefined
    const present_satang = person?.credit_limit_satang
    if (
      typeof present_satang !== 'number' ||
      requested === undefined ||
      typeof least_satang !== 'number' ||
      typeof most_satang !== 'number'
    )
      return result.messages.find((one) => one.code === code)?.message ?? code
    if (least_satang > most_satang)
      return t('credit_owed', { owed: formatBaht(least_satang), most: formatBaht(most_satang) })
    if (requested.credit_limit_satang < least_satang) return t('credit_below', { least: formatBaht(least_satang) })
    return t('credit_above', {
      parent: person?.parent_username ?? '',
      left: formatBaht(Math.max(0, most_satang - present_satang)),
      needed: formatBaht(requested.credit_limit_satang - present_satang),
    })
  }
}

/** The outcome of a change, or of its preview, for each user. */
export function ChangeOutcomes(props: ChangeOutcomesProps) {
  const { task, result } = props
  const t = useTranslations('people.change')
  const { is_preview, ok_count, refused_count, outcomes } = result
  const below = outcomes.reduce((sum, { below_count }) => sum + below_count, 0)
  const refusalOf = useRefusalText(props)
  const nameOf = ({ user_id, username }: BulkOutcome): string =>
    username ?? task.people.find((one) => one.user_id === user_id)?.username ?? ''
  const isLong = outcomes.length > MAX_SHOWN
  const ordered = isLong
    ? outcomes.toSorted((one, other) => Number(one.code === 'ok') - Number(other.code === 'ok'))
    : outcomes
  const textOf = useStateText()
  return (
    <Stack gap={12}>
      <output data-testid="outcome-count">
        {t(is_preview ? 'will' : 'did', { ok: ok_count, refused: refused_count, below })}
      </output>
      {/* A list that is scrolled takes the focus, or the keyboard could not scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={classes.outcomes} tabIndex={0} aria-label={t(is_preview ? 'preview' : 'outcome')}>
        {ordered.slice(0, MAX_SHOWN).map((outcome) => (
          <li key={outcome.user_id}>
            <strong>{nameOf(outcome)}</strong>
            {outcome.code === 'ok' ? (
              <span>
                {textOf(outcome.before)}
                <Becomes />
                {textOf(outcome.after)}
                {outcome.below_count > 0 && ` · ${t('below', { count: outcome.below_count })}`}
              </span>
            ) : (
              <span className={classes.refused}>{refusalOf(outcome)}</span>
            )}
          </li>
        ))}
        {isLong && <li className={classes.dim}>{t('more', { count: outcomes.length - MAX_SHOWN })}</li>}
      </ul>
    </Stack>
  )
}
