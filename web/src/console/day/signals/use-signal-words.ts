import type { Signal, SignalKind, SignalThresholds, UserLevel } from '@megalot/contract'
import { betTypeByCode, type BetTypeCode } from '@megalot/rules'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatCount, formatPercent, formatWholeBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useNames } from '../../../shared/markets/use-names.ts'
import { writeOdds } from './odds.ts'

/** A share in hundredths of a percent, rounded down, so that a value below a threshold never shows as reaching it. */
function shareOf(part: number, whole: number): string {
  return formatPercent(whole === 0 ? 0 : Math.floor((part * 1_000) / whole) * 10)
}

/**
 * What a signal says, in words: its kind, its figures in one line and one by one, and the rule that it follows. The page loads the texts
 * `signals` and `audit`.
 */
export function useSignalWords() {
  const t = useTranslations('signals')
  const audit = useTranslations('audit')
  const ofUser = useTranslations('user')
  const language = useLocale()
  const { periodName } = useNames()
  return useMemo(() => {
    const typeName = (bet_type: BetTypeCode): string => localizedName(betTypeByCode[bet_type], language)
    const odds = (chance_log10: number): string => t('odds', { number: writeOdds(chance_log10) })
    const nameUnnamed = (above_level: UserLevel | null): string =>
      above_level === null ? t('office') : audit('above', { level: ofUser(`level.${above_level}`) })
    const usersOf = ({ users, user_count }: Signal): string =>
      [
        users.map(({ username, above_level }) => username ?? nameUnnamed(above_level)).join(', '),
        ...(user_count > users.length ? [t('more_users', { count: user_count - users.length })] : []),
      ].join(' ')

    /** The period where it is one; of several the latest, or how many they are. */
    const periodOf = (signal: Signal): string => {
      const { period, kind } = signal
      if (period !== null) return periodName(period.period_code)
      if (kind === 'improbable_wins') return t('periods', { count: signal.period_count })
      const [latest, ...others] = kind === 'differing_results' ? signal.period_codes : []
      if (latest === undefined) return '–'
      return [periodName(latest), ...(others.length === 0 ? [] : [t('more_periods', { count: others.length })])].join(
        ' ',
      )
    }

    /** The figures in one line. */
    const figures = (signal: Signal): string => {
      switch (signal.kind) {
        case 'late_stakes':
          return t('figures.late_stakes', {
            late: formatBaht(signal.late_satang),
            tickets: signal.ticket_count,
            percent: shareOf(signal.late_satang, signal.period_satang),
          })
        case 'late_deletes':
          return t('figures.late_deletes', {
            tickets: signal.ticket_count,
            bet: formatBaht(signal.bet_satang),
            members: signal.member_count,
          })
        case 'shared_access':
          return signal.by === 'device'
            ? t('figures.shared_device', { users: signal.user_count })
            : t('figures.shared_address', { address: signal.address ?? '', users: signal.user_count })
        case 'improbable_wins':
          return t('figures.improbable_wins', {
            type: typeName(signal.bet_type),
            hits: signal.hit_count,
            periods: signal.period_count,
            expected: signal.expected_hits,
            odds: odds(signal.chance_log10),
          })
        case 'cancelled_tickets':
          return t('figures.cancelled_tickets', {
            marked: signal.marked_count,
            tickets: signal.ticket_count,
            percent: shareOf(signal.marked_count, signal.ticket_count),
          })
        case 'credit_churn':
          return t('figures.credit_churn', { raises: signal.raise_count, cuts: signal.cut_count })
        default:
          return t('figures.differing_results', { differing: signal.differing_count, entries: signal.entry_count })
      }
    }

    /** The figures one by one, each with its name. */
    const facts = (signal: Signal): readonly (readonly [name: string, value: string])[] => {
      switch (signal.kind) {
        case 'late_stakes':
          return [
            [t('fact.late_satang'), formatBaht(signal.late_satang)],
            [t('fact.period_satang'), formatBaht(signal.period_satang)],
            [t('fact.share'), shareOf(signal.late_satang, signal.period_satang)],
            [t('fact.ticket_count'), formatCount(signal.ticket_count)],
          ]
        case 'late_deletes': {
          const seconds = Math.max(0, Math.floor(signal.ms_before_close / 1_000))
          return [
            [t('fact.bet_satang'), formatBaht(signal.bet_satang)],
            [t('fact.ticket_count'), formatCount(signal.ticket_count)],
            [t('fact.member_count'), formatCount(signal.member_count)],
            [t('fact.before_close'), t('before_close', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })],
          ]
        }
        case 'shared_access':
          return [
            ...(signal.address === null ? [] : [[t('fact.address'), signal.address] as const]),
            [t('fact.user_count'), formatCount(signal.user_count)],
            ...(signal.log_in_count === null
              ? []
              : [[t('fact.log_in_count'), formatCount(signal.log_in_count)] as const]),
          ]
        case 'improbable_wins':
          return [
            [t('fact.bet_type'), typeName(signal.bet_type)],
            [t('fact.period_count'), formatCount(signal.period_count)],
            [t('fact.hit_count'), formatCount(signal.hit_count)],
            [t('fact.expected_hits'), signal.expected_hits],
            [t('fact.chance'), odds(signal.chance_log10)],
            [t('fact.received_satang'), formatBaht(signal.received_satang)],
            [t('fact.win_satang'), formatBaht(signal.win_satang)],
          ]
        case 'cancelled_tickets':
          return [
            [t('fact.ticket_count'), formatCount(signal.ticket_count)],
            [t('fact.marked_count'), formatCount(signal.marked_count)],
            [t('fact.share'), shareOf(signal.marked_count, signal.ticket_count)],
            [t('fact.cancelled_count'), formatCount(signal.cancelled_count)],
            [t('fact.waiting_count'), formatCount(signal.waiting_count)],
          ]
        case 'credit_churn':
          return [
            [t('fact.raise_count'), formatCount(signal.raise_count)],
            [t('fact.raised_satang'), formatBaht(signal.raised_satang)],
            [t('fact.cut_count'), formatCount(signal.cut_count)],
            [t('fact.cut_satang'), formatBaht(signal.cut_satang)],
            [t('fact.limits'), `${formatBaht(signal.least_limit_satang)} – ${formatBaht(signal.highest_limit_satang)}`],
          ]
        default:
          return [
            [t('fact.entry_count'), formatCount(signal.entry_count)],
            [t('fact.differing_count'), formatCount(signal.differing_count)],
            [t('fact.wrong_count'), formatCount(signal.wrong_count)],
            // Every signal already shows one period.
            ...(signal.period === null
              ? [[t('fact.period_codes'), signal.period_codes.map((code) => periodName(code)).join(', ')] as const]
              : []),
          ]
      }
    }

    /** The rule in one sentence, with the thresholds that the server has used. */
    const rule = (kind: SignalKind, thresholds: SignalThresholds): string => {
      const of = thresholds
      switch (kind) {
        case 'late_stakes': {
          const { seconds, least_satang, least_percent } = of.late_stakes
          return t('rule.late_stakes', { seconds, satang: formatWholeBaht(least_satang), percent: least_percent })
        }
        case 'late_deletes': {
          const { minutes, least_satang } = of.late_deletes
          return t('rule.late_deletes', { minutes, satang: formatWholeBaht(least_satang) })
        }
        case 'shared_access': {
          const { least_device_members, least_address_members } = of.shared_access
          return t('rule.shared_access', { device: least_device_members, address: least_address_members })
        }
        case 'improbable_wins': {
          const { least_hits, max_chance_log10 } = of.improbable_wins
          return t('rule.improbable_wins', { hits: least_hits, odds: odds(max_chance_log10) })
        }
        case 'cancelled_tickets': {
          const { least_tickets, least_percent } = of.cancelled_tickets
          return t('rule.cancelled_tickets', { tickets: least_tickets, percent: least_percent })
        }
        case 'credit_churn': {
          const { least_raises, least_cuts } = of.credit_churn
          return t('rule.credit_churn', { raises: least_raises, cuts: least_cuts })
        }
        default:
          return t('rule.differing_results', { differing: of.differing_results.least_differing })
      }
    }

    return {
      kindName: (kind: SignalKind): string => t(`kind.${kind}`),
      usersOf,
      periodOf,
      instant: (at: string): string => formatInstant(at, language, 'dayAndTime'),
      figures,
      facts,
      rule,
    }
  }, [t, audit, ofUser, language, periodName])
}

export type SignalWords = ReturnType<typeof useSignalWords>
