import { useEffect } from 'react'
import { loadArea } from '../../lib/i18n/language-store.ts'
import { lazyComponent } from '../../lib/page/lazy-component.ts'
import { readIdleMs } from '../../lib/session/person-activity.ts'
import { styleChunks } from './entry-styles.ts'
import { ChatImport } from './import/chat/lazy-chat-import.ts'
import { currentBetStyle } from './style-memory.ts'

/** The three styles of entry, of which one is on screen. */
export const entryStyles = {
  grid: lazyComponent(styleChunks.grid, 'GridStyle'),
  builder: lazyComponent(styleChunks.builder, 'Builder'),
  mobile: lazyComponent(styleChunks.mobile, 'KeypadEntry'),
}

/**
 * Parts that the page can show without. Each is fetched when it is first opened, or before, once the page is idle: then a
 * lost connection takes nothing away from the page.
 */
export const lazyChunks = {
  HelpSheet: lazyComponent(() => import('./help/help-sheet.tsx'), 'HelpSheet'),
  ImportSheet: lazyComponent(
    async () => (await Promise.all([import('./import/import-sheet.tsx'), loadArea('import')]))[0],
    'ImportSheet',
  ),
  ChatImport,
  SetsSheet: lazyComponent(() => import('./sets/sets-sheet.tsx'), 'SetsSheet'),
  SlipList: lazyComponent(() => import('./slip-view/slip-list.tsx'), 'SlipList'),
  ManyEntry: lazyComponent(() => import('./entry/grid/many-entry.tsx'), 'ManyEntry'),
  NumberBoard: lazyComponent(() => import('./board/number-board.tsx'), 'NumberBoard'),
  MarketChoices: lazyComponent(() => import('./market/market-choices.tsx'), 'MarketChoices'),
  BatchTickets: lazyComponent(() => import('./submit/batch-tickets.tsx'), 'BatchTickets'),
  Receipt: lazyComponent(
    async () => (await Promise.all([import('./submit/receipt.tsx'), loadArea('bills')]))[0],
    'Receipt',
  ),
  ReceiptSend: lazyComponent(
    async () => (await Promise.all([import('./submit/receipt-send.tsx'), loadArea('bills')]))[0],
    'ReceiptSend',
  ),
  LatestTickets: lazyComponent(
    async () =>
      (await Promise.all([import('./latest/latest-tickets.tsx'), loadArea('bills'), loadArea('decision')]))[0],
    'LatestTickets',
  ),
  PushOffer: lazyComponent(
    async () => (await Promise.all([import('../push/push-offer.tsx'), loadArea('push')]))[0],
    'PushOffer',
  ),
  PartialReceipt: lazyComponent(
    async () => (await Promise.all([import('./submit/partial-receipt.tsx'), loadArea('decision')]))[0],
    'PartialReceipt',
  ),
}

// Its chunk is fetched already, and is at hand before the page renders: the style never shows a skeleton of its own.
entryStyles[currentBetStyle()].preload().catch(() => {})

/** Delay before the remaining chunks are prefetched, in ms. */
const AFTER_MS = 4_000
/** A part that arrives while somebody types delays a key: parts are fetched once nothing was done for so long, in ms. */
const REST_MS = 1_500
/** Prefetches the remaining chunks after this delay even if the browser is never idle, in ms. */
const AT_LAST_MS = 30_000

/** Fetches every part the page may come to need, one after the other, once the page is idle. */
export function usePrefetchedChunks(): void {
  useEffect(() => {
    const untilMs = performance.now() + AT_LAST_MS
    let timer = setTimeout(fetchAtRest, AFTER_MS)
    function fetchAtRest(): void {
      const restMs = REST_MS - readIdleMs()
      if (restMs <= 0 || performance.now() > untilMs) void fetchAll()
      else timer = setTimeout(fetchAtRest, restMs)
    }
    return () => clearTimeout(timer)
  }, [])
}

async function fetchAll(): Promise<void> {
  for (const { preload } of [...Object.values(entryStyles), ...Object.values(lazyChunks)]) {
    try {
      await preload()
    } catch {
      // Fetched again when it is opened.
    }
  }
}
