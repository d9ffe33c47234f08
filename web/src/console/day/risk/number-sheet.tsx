import type { Period } from '@megalot/contract'
import { betOfSlot, betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Fact, Facts, Links, Stack } from '../../../ui/layout.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { permissionsOf } from '../../menu.ts'
import type { NumberAction } from './board-grid.tsx'
import { focusInDialog } from './focus-in-dialog.ts'
import { measureText } from './measure-text.ts'
import { NumberForm } from './number-form.tsx'
import { QuotaForm } from './quota-form.tsx'
import classes from './risk.module.css'
import { StateMark } from './state-mark.tsx'
import { useMeasures, useSlots } from './use-board.ts'
import type { Board } from './use-board.ts'
import { useMayLimit } from './use-may-limit.ts'

interface NumberSheetProps {
  open: { slot: number; action: NumberAction | null } | null
  board: Board
  period: Period
  onClose: () => void
}

/** A number of the board: figures, tickets, and the office's actions. */
export function NumberSheet({ open, board, period, onClose }: NumberSheetProps) {
  const t = useTranslations('risk')
  const language = useLocale()
  const bet = open === null ? null : betOfSlot(open.slot)
  const title =
    bet === null
      ? ''
      : t('number_title', { number: bet.number, type: localizedName(betTypeByCode[bet.bet_type], language) })
  return (
    <DialogSheet isOpen={open !== null} onClose={onClose} title={title}>
      {open !== null && bet !== null && (
        <NumberDetails {...{ board, period, onClose }} {...bet} slot={open.slot} action={open.action} />
      )}
    </DialogSheet>
  )
}

interface NumberDetailsProps {
  slot: number
  bet_type: BetTypeCode
  number: string
  action: NumberAction | null
  board: Board
  period: Period
  onClose: () => void
}

function NumberDetails({ slot, bet_type, number, action, board, period, onClose }: NumberDetailsProps) {
  const t = useTranslations('risk')
  const permissions = permissionsOf(useUser())
  const shown = useMeasures()
  useSlots(board.store, [slot])
  const { product_code, period_code, status } = period
  const mayLimit = useMayLimit()
  const isAccepting = status === 'open' || status === 'upcoming'
  const tickets = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (action === 'tickets') focusInDialog(tickets.current)
  }, [action])
  return (
    <Stack gap={14}>
      <Facts className={classes.figures} below={12}>
        {shown.map((measure) => (
          <Fact key={measure} label={t(`measure.${measure}`)} data-testid={`fact-${measure}`}>
            {measureText(measure, board.store.read(slot, measure))}
          </Fact>
        ))}
        <Fact label={t('state.title')} data-testid="fact-state">
          <StateMark state={board.states.get(slot) ?? null} isWorded />
        </Fact>
      </Facts>
      {permissions.has('tickets.view') && (
        <Links gap={[4, 20]}>
          <Link ref={tickets} to="/tickets" search={{ search: number, product_code, period_code }}>
            {t('tickets', { number })}
          </Link>
        </Links>
      )}
      {mayLimit && !isAccepting && <p>{t('closed_period')}</p>}
      {mayLimit && isAccepting && (
        <Limits {...{ slot, bet_type, number, board, period, onClose }} starts={limitOf(action)} />
      )}
    </Stack>
  )
}

const limits = ['half', 'closed', 'open', 'quota'] as const
type Limit = (typeof limits)[number]

function limitOf(action: NumberAction | null): Limit | null {
  return action === 'tickets' ? null : action
}

interface LimitsProps extends Omit<NumberDetailsProps, 'action'> {
  /** Chosen by the key that opened the number. */
  starts: Limit | null
}

function Limits({ starts, bet_type, number, board, period, onClose }: LimitsProps) {
  const t = useTranslations('risk.limit')
  const [limit, setLimit] = useState(starts)
  return (
    <Stack as="section" gap={14} aria-label={t('title')}>
      <SegmentedControl
        label={t('title')}
        value={limit}
        choices={limits.map((value) => ({ value, label: t(`choice.${value}`) }))}
        onChange={setLimit}
        fill
      />
      {limit === 'quota' && (
        <QuotaForm
          product_code={period.product_code}
          bet_type={bet_type}
          isFocused={starts !== null}
          onDone={() => {
            // The share that is used is of another whole.
            board.readWhole()
            onClose()
          }}
        />
      )}
      {limit !== null && limit !== 'quota' && (
        <NumberForm
          // The consequence and the reason belong to one choice.
          key={limit}
          period_code={period.period_code}
          bet_type={bet_type}
          number={number}
          set_to={limit}
          isFocused={starts !== null}
          onDone={onClose}
        />
      )}
    </Stack>
  )
}
