import type { WinLossSummary } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import { type Tone, toneOf } from './sided.tsx'
import classes from './win-loss-sums.module.css'

interface Figure {
  name: 'own' | 'above' | 'below' | 'members' | 'fact'
  label: string
  text: string
  tone?: Tone | undefined
}

interface OwnSumsProps {
  summary: Pick<WinLossSummary, 'subject' | 'totals'>
  /** Somebody below the reader, whose report it is. Absent: the reader's own. */
  username?: string | undefined
  /** The sides alone, over a list that has the other sums. */
  isShort?: boolean
}

/**
 * An operator's sums from the reader's chair: its own part first, then what it passes up. The members' win and loss is
 * one figure among the others.
 */
export function OwnSums({ summary: { subject, totals }, username, isShort = false }: OwnSumsProps) {
  const t = useTranslations('reports.chair')
  const sums = useTranslations('reports.sums')
  const { member, level, upline, due_satang } = totals
  const isOwn = username === undefined
  const name = subject.username
  const whose = isOwn ? 'own' : 'other'
  const sided = (figure: Figure['name'], satang: number, sides: { up: string; down: string; none: string }) => ({
    name: figure,
    label: satang === 0 ? sides.none : satang > 0 ? sides.up : sides.down,
    text: formatBaht(Math.abs(satang)),
  })
  const facts: Figure[] = [
    { name: 'fact', label: sums('tickets'), text: formatCount(member.ticket_count) },
    { name: 'fact', label: sums('received'), text: formatBaht(member.received_satang) },
    { name: 'fact', label: sums('discount'), text: formatBaht(member.discount_satang) },
    { name: 'fact', label: sums('win'), text: formatBaht(member.win_satang) },
  ]
  const lost: Figure = {
    ...sided('own', due_satang, {
      up: t('member_lost', { name }),
      down: t('member_won', { name }),
      none: t('member_even', { name }),
    }),
    tone: toneOf(due_satang, 'bad'),
  }
  const figures: Figure[] =
    subject.level === 'member'
      ? [lost, ...facts]
      : [
          {
            ...sided('own', level.total_satang, {
              up: t(`profit.${whose}`, { name }),
              down: t(`loss.${whose}`, { name }),
              none: t(`even.${whose}`, { name }),
            }),
            tone: isOwn ? toneOf(level.total_satang, 'bad') : undefined,
          },
          ...(subject.level === 'company'
            ? []
            : [
                {
                  ...sided('above', upline.total_satang, {
                    up: t(`pass_up.${whose}`, { name }),
                    down: t(`from_above.${whose}`, { name }),
                    none: t(`none_above.${whose}`, { name }),
                  }),
                  tone: toneOf(isOwn ? -upline.total_satang : upline.total_satang, 'warn'),
                },
              ]),
          {
            ...sided('below', due_satang, {
              up: t(`from_below.${whose}`, { name }),
              down: t(`to_below.${whose}`, { name }),
              none: t('none_below'),
            }),
            tone: isOwn ? toneOf(due_satang, 'warn') : undefined,
          },
          { name: 'members', label: t('members'), text: formatSignedBaht(member.total_satang) },
          ...(isShort ? [] : facts),
        ]
  return (
    <dl className={classes.sums} data-testid="own-sums">
      {figures.map(({ name: figure, label, text, tone }) => (
        <div key={label} data-name={figure} data-tone={tone}>
          <dt>{label}</dt>
          <dd className="number">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
