import { writeImportText } from '@megalot/rules'
import IconArrowBackUp from '~icons/arrow-back-up'
import IconCopy from '~icons/copy'
import IconEraser from '~icons/eraser'
import IconFileImport from '~icons/file-import'
import IconKeyboard from '~icons/keyboard'
import IconGridDots from '~icons/grid-dots'
import IconListNumbers from '~icons/list-numbers'
import IconRepeat from '~icons/repeat'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSend } from '../../../lib/forms/use-send.ts'
import { announce } from '../../../lib/feedback/announce.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Skeleton } from '../../../ui/query-view.tsx'
import type { Desk } from '../desk.ts'
import { entryStyles, lazyChunks } from '../lazy-chunks.ts'
import { fetchLastOrder } from '../latest/repeat-order.ts'
import { useShownSlip } from '../slip/checked-slip.ts'
import { growRows, isEmptyRow } from '../slip/slip-rows.ts'
import { changeDraft, editRows, undoEdit, useDraft } from '../slip/slip-store.ts'
import classes from './slip-tools.module.css'
import { useAddLines } from '../slip/use-add-lines.ts'
import { useCopiedTicket } from './use-copied-ticket.ts'

const { builder: Builder } = entryStyles
const { HelpSheet, ImportSheet, SetsSheet } = lazyChunks

export type Sheet = 'formulas' | 'import' | 'sets' | 'help'

interface SlipToolsProps {
  desk: Desk
  /** The style on screen is that of the formulas. */
  hasFormulas: boolean
  product_code: string
  user_id: number
  sheet: Sheet | null
  onSheet: (sheet: Sheet | null) => void
}

/** Actions on the whole slip. */
export function SlipTools({ desk, hasFormulas, product_code, user_id, sheet, onSheet }: SlipToolsProps) {
  const t = useTranslations('entry.tools')
  const { store, slip, isLocked } = desk
  const isEmpty = useDraft(store, ({ rows }) => rows.every(isEmptyRow))
  const hasLines = useShownSlip(slip, ({ check }) => check.lines.length > 0)
  const hasPast = useDraft(store, ({ past }) => past.length > 0)
  const repeat = useRepeat(desk, product_code)
  useCopiedTicket(desk, product_code)

  const undo = (): void => {
    if (undoEdit(store)) announce(t('undone'))
  }
  const clear = (): void => {
    editRows(store, growRows([]))
    changeDraft(store, { kept_duplicates: [] })
    announce(t('cleared'))
  }
  const copy = async (): Promise<void> => {
    const { lines } = slip.getState().check
    try {
      await navigator.clipboard.writeText(writeImportText(lines))
      showToast('good', t('copied', { count: lines.length }))
    } catch {
      showToast('bad', t('not_copied'))
    }
  }
  const use: Record<ToolName, () => void> = {
    formulas: () => onSheet('formulas'),
    import: () => onSheet('import'),
    sets: () => onSheet('sets'),
    repeat: () => repeat.start(),
    undo,
    copy: () => void copy(),
    clear,
    help: () => onSheet('help'),
  }
  const off: Partial<Record<ToolName, boolean>> = {
    formulas: isLocked,
    import: isLocked,
    sets: isLocked,
    repeat: isLocked || repeat.isBusy,
    undo: isLocked || !hasPast,
    copy: !hasLines,
    clear: isLocked || isEmpty,
  }
  return (
    <SlipToolBar off={off} hidden={hasFormulas ? 'formulas' : null} onUse={(name) => use[name]()}>
      <DialogSheet
        isOpen={sheet !== null}
        onClose={() => onSheet(null)}
        title={sheet === null ? '' : t(`title.${sheet}`)}
      >
        <Suspense fallback={<Skeleton count={4} height={48} />}>
          {sheet === 'formulas' && (
            <Builder desk={desk} user_id={user_id} product_code={product_code} onDone={() => onSheet(null)} />
          )}
          {sheet === 'import' && <ImportSheet desk={desk} onDone={() => onSheet(null)} />}
          {sheet === 'sets' && <SetsSheet desk={desk} user_id={user_id} onDone={() => onSheet(null)} />}
          {sheet === 'help' && <HelpSheet />}
        </Suspense>
      </DialogSheet>
    </SlipToolBar>
  )
}

const toolIcons = {
  formulas: IconGridDots,
  import: IconFileImport,
  sets: IconListNumbers,
  repeat: IconRepeat,
  undo: IconArrowBackUp,
  copy: IconCopy,
  clear: IconEraser,
  help: IconKeyboard,
} as const
type ToolName = keyof typeof toolIcons
const toolNames = Object.keys(toolIcons) as ToolName[]

/** On an empty slip, which nothing has happened to. */
export const toolsOffAtFirst: Partial<Record<ToolName, boolean>> = { undo: true, copy: true, clear: true }

interface SlipToolBarProps {
  off: Partial<Record<ToolName, boolean>>
  hidden?: ToolName | null
  onUse: (name: ToolName) => void
  children?: ReactNode
}

/** The tools as buttons, apart from what they do. */
export function SlipToolBar({ off, hidden = null, onUse, children }: SlipToolBarProps) {
  const t = useTranslations('entry.tools')
  return (
    <div className={classes.tools} role="toolbar" data-scrolls-sideways="" aria-label={t('label')}>
      {toolNames.map((name) => {
        if (name === hidden) return null
        const Icon = toolIcons[name]
        return (
          <button
            key={name}
            type="button"
            className={classes.tool}
            data-keys={name === 'help' || undefined}
            disabled={off[name] === true}
            onClick={() => onUse(name)}
          >
            <Icon size={20} stroke={1.6} />
            <span>{t(name)}</span>
          </button>
        )
      })}
      {children}
    </div>
  )
}

/** Puts the items of the last ticket in this market on the slip, as they were asked for. */
function useRepeat(desk: Desk, product_code: string) {
  const t = useTranslations('entry.tools')
  const addLines = useAddLines(desk.store)
  const repeat = async (): Promise<void> => {
    const order = await fetchLastOrder(product_code)
    if (order === null) {
      showToast('plain', t('nothing_to_repeat'))
      return
    }
    const lines = order.items.map(({ bet_type, number, asked_satang }) => ({
      bet_type,
      number,
      bet_satang: asked_satang,
    }))
    if (addLines(lines)) showToast('good', t('repeated', { order_id: String(order.order_id), count: lines.length }))
  }
  const { isBusy, run } = useSend(repeat, (failure) => showToast('bad', failure))
  return { isBusy, start: () => void run() }
}

/** The sheet that is open, if any: the page's keys open it too. */
export function useSheet() {
  return useState<Sheet | null>(null)
}
