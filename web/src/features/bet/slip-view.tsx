import { Button, TextInput } from '@mantine/core'
import type { GameConfig, Period, PlaceOrderBody, ProductPeriod, User } from '@megalot/contract'
import { doesRefuse } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht, formatCount } from '../../lib/money.ts'
import { randomUuid } from '../../lib/random-uuid.ts'
import { showToast } from '../../lib/toast.ts'
import { Notice } from '../../ui/notice.tsx'
import { Bones, QueryView } from '../../ui/query-view.tsx'
import { EarlierSlips } from './earlier-slips.tsx'
import { focusCell } from './grid-keys.ts'
import { PackagePicker, takenBetTypes } from './package-picker.tsx'
import { lastPackageOf, rememberPackage } from './package-memory.ts'
import { gameConfigQuery, packagesQuery } from './queries.ts'
import { checkRows } from './slip-check.ts'
import type { CheckedSlip } from './slip-check.ts'
import type { Column } from './slip-columns.ts'
import { SlipGrid } from './slip-grid.tsx'
import { isEmptyRow } from './slip-rows.ts'
import { changeDraft, slipStoreOf, useDraft } from './slip-store.ts'
import classes from './slip-view.module.css'
import { SubmissionDialog, isLookedFor } from './submission-dialog.tsx'
import { TotalsBar } from './totals-bar.tsx'
import { useSubmission } from './use-submission.ts'

/** Used until the server has said how many items a ticket may have. */
const USUAL_MAX_ITEMS = 500
const NOTE_LENGTH = 200
/** From here on the note says how much room is left. */
const NOTE_NEARLY_FULL = 160
const EMPTY_TYPES: ProductPeriod['bet_types'] = []

interface SlipViewProps {
  user: User
  market: ProductPeriod
  period: Period
  isOpen: boolean
}

export function SlipView(props: SlipViewProps) {
  const packages = useQuery(packagesQuery(props.market.product_code))
  return (
    <QueryView query={packages} skeleton={<Bones count={6} height={52} />}>
      {(known) => <Slip {...props} packages={known} />}
    </QueryView>
  )
}

interface SlipProps extends SlipViewProps {
  packages: readonly { package_code: string; name: string }[]
}

function Slip({ user, market, period, isOpen, packages }: SlipProps) {
  const t = useTranslations('bet')
  const root = useRef<HTMLDivElement>(null)
  const { product_code } = market
  const { period_code } = period
  const { user_id } = user
  const slipKey = useMemo(() => ({ user_id, product_code, period_code }), [user_id, product_code, period_code])
  const store = slipStoreOf(slipKey)
  const draft = useDraft(store)
  const submission = useSubmission(store, slipKey)

  const package_code = pickedPackage(draft.package_code ?? lastPackageOf(product_code), packages)
  const { data: config = null } = useQuery(gameConfigQuery(product_code, package_code))
  const offered = useMemo(() => takenBetTypes(market, config) ?? EMPTY_TYPES, [market, config])
  const check = useMemo(
    () =>
      checkRows(draft.rows, {
        terms: config?.bet_types ?? null,
        offered,
        credit_remain_satang: user.credit_remain_satang,
        max_items: config?.max_items ?? USUAL_MAX_ITEMS,
        is_open: isOpen,
      }),
    [draft.rows, config, offered, user.credit_remain_satang, isOpen],
  )
  const isLocked = draft.pending !== null

  const send = (): void => {
    if (config === null || !check.is_acceptable) {
      explain(check, t)
      const bad = check.row_states.findIndex((state) => state.kind === 'bad')
      const column = check.row_states[bad]?.columns.split(' ')[0]
      if (root.current !== null && column !== undefined) focusCell(root.current, { row: bad, column: column as Column })
      return
    }
    submission.submit(bodyOf(check, config, period_code, draft.note))
  }

  return (
    <div ref={root} className={classes.slip}>
      <PackagePicker
        packages={packages}
        package_code={package_code}
        config={config}
        onPick={(picked) => {
          rememberPackage(product_code, picked)
          changeDraft(store, { package_code: picked })
        }}
      />
      {package_code === null && <Notice kind="plain">{t('package.pick')}</Notice>}
      {submission.isAside && isLookedFor(submission.progress) && (
        <Notice kind="warn" title={t(`submission.${submission.progress.kind}.title`)}>
          <p>{t(`submission.${submission.progress.kind}.text`)}</p>
          <Button variant="light" mt={6} onClick={() => submission.setAside(false)}>
            {t('submission.look')}
          </Button>
        </Notice>
      )}
      <EarlierSlips slipKey={slipKey} store={store} isEmpty={draft.rows.every(isEmptyRow)} />
      <SlipGrid store={store} rows={draft.rows} states={check.row_states} offered={offered} isLocked={isLocked} />
      <TextInput
        label={t('note')}
        description={
          draft.note.length >= NOTE_NEARLY_FULL &&
          t('note_length', { length: String(draft.note.length), most: String(NOTE_LENGTH) })
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={NOTE_LENGTH}
        value={draft.note}
        disabled={isLocked}
        onChange={(event) => changeDraft(store, { note: event.currentTarget.value })}
      />
      <TotalsBar
        count={check.lines.length}
        totals={check.totals}
        credit_after_satang={user.credit_remain_satang - check.totals.net_satang}
        isBusy={isLocked}
        isOpen={isOpen}
        obstacle={isOpen ? obstacleOf(check, config, t) : null}
        onSubmit={send}
      />
      <SubmissionDialog
        progress={submission.progress}
        answer={draft.answer}
        isAside={submission.isAside}
        onAside={() => submission.setAside(true)}
        onRead={() => changeDraft(store, { answer: null })}
        onDismiss={submission.dismiss}
        onSendAgain={submission.sendAgain}
      />
    </div>
  )
}

/** The package of the slip where the member still has it; the only one there is needs no picking. */
function pickedPackage(wanted: string | null, packages: SlipProps['packages']): string | null {
  if (packages.some((one) => one.package_code === wanted)) return wanted
  return packages.length === 1 ? packages[0]!.package_code : null
}

function bodyOf(check: CheckedSlip, config: GameConfig, period_code: string, note: string): PlaceOrderBody {
  const rates = new Map(config.bet_types.map((terms) => [terms.bet_type, terms.rate]))
  const trimmed = note.trim()
  return {
    request_id: randomUuid(),
    period_code,
    package_code: config.package_code,
    ...(trimmed === '' ? {} : { note: trimmed }),
    items: check.lines.map(({ bet_type, number, bet_satang }) => ({
      bet_type,
      number,
      bet_satang,
      rate: rates.get(bet_type) ?? 0,
    })),
  }
}

type BetText = ReturnType<typeof useTranslations<'bet'>>

/** Says why the slip cannot be sent: the two gravest reasons are enough. */
function explain(check: CheckedSlip, t: BetText): void {
  const codes = new Set(check.problems.filter(doesRefuse).map((problem) => problem.code))
  // Where a cell cannot be read, "no number" is not the reason but what follows from it.
  if (check.cell_problems.length > 0) codes.delete('no_number')
  for (const code of [...check.cell_problems, ...codes].slice(0, 2)) showToast('bad', t(`refusal.${code}`))
}

/** Why a slip that is not empty cannot be sent as it stands, beside the button that would send it. */
function obstacleOf(check: CheckedSlip, config: GameConfig | null, t: BetText): string | null {
  const bad = check.row_states.filter(({ kind }) => kind === 'bad').length
  if (bad > 0) return t('bad_rows', { rows: bad })
  if (check.lines.length === 0) return null
  if (config === null) return t('refusal.no_package')
  for (const problem of check.slip_problems) {
    if (problem.code === 'over_credit') {
      return t('over_credit', {
        net: formatBaht(problem.net_satang),
        remain: formatBaht(problem.credit_remain_satang),
      })
    }
    if (problem.code === 'too_many_items') {
      return t('too_many_items', { count: formatCount(problem.count), most: formatCount(problem.max_items) })
    }
    if (doesRefuse(problem)) return t(`refusal.${problem.code}`)
  }
  return null
}
