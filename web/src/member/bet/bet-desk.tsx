import { ShownAnnouncement } from './shown-announcement.tsx'
import { Button } from '../../ui/button.tsx'
import type { Period, ProductPeriod, User } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../../lib/feedback/announce.ts'
import { Alert } from '../../ui/alert.tsx'
import { Skeleton, QueryView } from '../../ui/query-view.tsx'
import classes from './bet-desk.module.css'
import { BetDeskSkeleton } from './bet-skeleton.tsx'
import { useDeskKeys } from './keys/use-desk-keys.ts'
import { entryStyles, lazyChunks, usePrefetchedChunks } from './lazy-chunks.ts'
import type { BettableState } from './market/bettable-state.ts'
import { pickPackage } from './market/picked-package.ts'
import type { Package } from './market/picked-package.ts'
import { RateSheet } from './market/rate-sheet.tsx'
import { packagesQuery } from '../../shared/markets/rate-queries.ts'
import { EarlierSlips } from './slip-view/earlier-slips.tsx'
import { DuplicateNotice, StorageNotice } from './slip-view/slip-notices.tsx'
import { SlipOptions } from './slip-view/slip-options.tsx'
import { changeDraft, slipStoreOf, undoEdit, useDraft } from './slip/slip-store.ts'
import { isEmptyRow } from './slip/slip-rows.ts'
import type { SlipRow } from './slip/slip-rows.ts'
import { SlipObstacle } from './slip-obstacle.tsx'
import { SlipTools, useSheet } from './slip-view/slip-tools.tsx'
import { DeskSheet, DeskTotals } from './desk-totals.tsx'
import { useSpokenProblems } from './slip-view/use-spoken-problems.ts'
import { betStyles } from './entry-style-choice.ts'
import { chooseBetStyle, useBetStyle } from './style-memory.ts'
import { useAcceptancePolicy } from './slip/acceptance-policy.ts'
import { isResolving } from './submit/step-statuses.ts'
import { SubmissionDialog } from './submit/submission-dialog.tsx'
import { useSending } from './submit/use-sending.ts'
import { useSubmission } from './submit/use-submission.ts'
import { useDesk } from './use-desk.ts'

const { grid: GridStyle, builder: Builder, mobile: KeypadEntry } = entryStyles
const { SlipList } = lazyChunks

interface BetDeskProps {
  user: User
  market: ProductPeriod
  period: Period
  /** The period that was on screen before this one. */
  before: Period | null
  /** No ticket is on its way, and no answer is unread. */
  isFree: boolean
  state: BettableState
}

/** The bet page's work area: reward rate, one of three entry styles, slip and sending. */
export function BetDesk(props: BetDeskProps) {
  const packages = useQuery(packagesQuery(props.market.product_code))
  return (
    <QueryView query={packages} skeleton={<BetDeskSkeleton />}>
      {(known) => <OpenDesk {...props} packages={known} />}
    </QueryView>
  )
}

function OpenDesk({
  user,
  market,
  period,
  before,
  isFree,
  state,
  packages,
}: BetDeskProps & { packages: readonly Package[] }) {
  const t = useTranslations('bet')
  const tools = useTranslations('entry.tools')
  const isOpen = state === 'open'
  const root = useRef<HTMLDivElement>(null)
  const { product_code } = market
  const { period_code } = period
  const { user_id } = user
  const slipKey = useMemo(() => ({ user_id, product_code, period_code }), [user_id, product_code, period_code])
  const store = slipStoreOf(slipKey)
  const desk = useDesk(store, { user, market, period, isOpen, packages })
  const { isLocked, lacking } = desk
  const answer = useDraft(store, (draft) => draft.answer)
  const batch = useDraft(store, (draft) => draft.batch)
  const submission = useSubmission(store, slipKey)
  const style = useBetStyle()
  const on_change = useAcceptancePolicy(user_id)
  const [sheet, setSheet] = useSheet()
  const [isSlipOpen, setIsSlipOpen] = useState(false)
  useSpokenProblems(desk)
  usePrefetchedChunks()

  const { send, removeClosed, timesAsked } = useSending({ desk, submission, root, period_code, isOpen, on_change })
  const [isRateAsked, setIsRateAsked] = useState(false)
  /** The rows that are sent as soon as the terms of the rate just picked are there. */
  const [dueRows, setDueRows] = useState<readonly SlipRow[] | null>(null)
  const sendSlip = (): void => {
    // Without a rate, the choice of one sends the slip.
    if (lacking === 'no_package' && isOpen && !isLocked && desk.slip.getState().check.lines.length > 0) {
      setIsRateAsked(true)
      return
    }
    const result = send()
    if (result === 'sent') setIsSlipOpen(false)
    // On the keypad the question about duplicates stands in the slip.
    if (result === 'duplicates') setIsSlipOpen(style === 'mobile')
  }
  const sendDue = useEffectEvent(() => {
    setDueRows(null)
    if (store.getState().rows === dueRows) sendSlip()
  })
  useEffect(() => {
    if (dueRows === null || lacking === 'no_package' || lacking === 'terms_loading') return undefined
    const timer = setTimeout(sendDue)
    return () => clearTimeout(timer)
  }, [dueRows, lacking])
  useDeskKeys({
    send: sendSlip,
    help: () => setSheet('help'),
    import: () => setSheet('import'),
    undo: () => {
      if (!isLocked && undoEdit(store)) announce(tools('undone'))
    },
    style: () => chooseBetStyle(betStyles[(betStyles.indexOf(style) + 1) % betStyles.length]!),
    first_cell: () => focusFirstField(root.current),
  })

  const options = <SlipOptions store={store} user_id={user_id} isLocked={isLocked} />
  const slipTools = (
    <SlipTools
      desk={desk}
      hasFormulas={style === 'builder'}
      product_code={product_code}
      user_id={user_id}
      sheet={sheet}
      onSheet={setSheet}
    />
  )
  // Messages that come and go while typing stand below the input, so that nothing moves under the finger.
  const slipParts = (
    <>
      <SlipList desk={desk} />
      <DuplicateNotice desk={desk} timesAsked={timesAsked} />
      {options}
    </>
  )
  const totals = (
    <DeskTotals
      desk={desk}
      credit_remain_satang={user.credit_remain_satang}
      state={state}
      onOpenSlip={style === 'mobile' ? () => setIsSlipOpen(true) : null}
      onSubmit={sendSlip}
    />
  )
  return (
    <div ref={root} className={classes.desk} data-style={style}>
      <StorageNotice />
      {isFree && <EarlierSlips slipKey={slipKey} store={store} period={period} before={before} />}
      {submission.isMinimized && isResolving(submission.progress) && (
        <Alert kind="warn" title={t(`submission.${submission.progress.kind}.title`)}>
          <p>{t(`submission.${submission.progress.kind}.text`)}</p>
          <Button variant="light" onClick={() => submission.setMinimized(false)}>
            {t('submission.look')}
          </Button>
        </Alert>
      )}
      <Suspense fallback={<BetDeskSkeleton />}>
        {style === 'mobile' && (
          <KeypadEntry
            desk={desk}
            user_id={user_id}
            product_code={product_code}
            obstacle={<SlipObstacle desk={desk} isOpen={isOpen} />}
            onOpenSlip={() => setIsSlipOpen(true)}
            tools={slipTools}
            totals={totals}
          />
        )}
        {style === 'builder' && (
          <>
            <Builder desk={desk} user_id={user_id} product_code={product_code} />
            {slipTools}
            {slipParts}
          </>
        )}
        {style === 'grid' && (
          <>
            {slipTools}
            <GridStyle desk={desk} />
            <DuplicateNotice desk={desk} timesAsked={timesAsked} />
            {options}
          </>
        )}
      </Suspense>
      {style !== 'mobile' && totals}
      {style === 'mobile' && (
        <DeskSheet
          desk={desk}
          isOpen={isSlipOpen}
          onClose={() => setIsSlipOpen(false)}
          state={state}
          onSubmit={sendSlip}
        >
          <Suspense fallback={<Skeleton count={4} height={46} />}>{slipParts}</Suspense>
        </DeskSheet>
      )}
      <RateSheet
        isOpen={isRateAsked}
        onClose={() => setIsRateAsked(false)}
        market={market}
        packages={packages}
        package_code={desk.package_code}
        isSending
        onPick={(picked) => {
          pickPackage(store, market, picked)
          setIsRateAsked(false)
          setDueRows(store.getState().rows)
        }}
      />
      <SubmissionDialog
        progress={submission.progress}
        answer={answer}
        batch={batch}
        onBatchRead={() => changeDraft(store, { batch: null })}
        isMinimized={submission.isMinimized}
        onMinimize={() => submission.setMinimized(true)}
        onRead={() => changeDraft(store, { answer: null })}
        onDismiss={submission.dismiss}
        onSendAgain={submission.sendAgain}
        onSendAtRates={(rates) => {
          // If the new terms refuse the slip, its rows show why.
          if (send(rates) !== 'sent') submission.dismiss()
        }}
        onRemoveClosed={removeClosed}
        onHidden={(isLost) => {
          // The next ticket is typed at once. On a phone that would open its keyboard.
          if (style !== 'mobile' && store.getState().rows.every(isEmptyRow)) focusFirstField(root.current)
          else if (isLost) root.current?.querySelector<HTMLElement>('[data-submit]')?.focus({ preventScroll: true })
        }}
        onChanged={({ items: _items, steps: _steps, events: _events, ...answer }) => changeDraft(store, { answer })}
      />
      <ShownAnnouncement />
    </div>
  )
}

/** The first number of the grid, or the first field of whatever style is on screen. */
function focusFirstField(root: HTMLElement | null): void {
  const field =
    root?.querySelector<HTMLElement>('[data-row="0"]') ?? root?.querySelector<HTMLElement>('[data-first-field]')
  field?.focus()
}
