import { useEffect } from 'react'
import { loadArea } from '../../lib/language-store.ts'
import { betStyles, styleFiles } from './styles/style-files.ts'

// What the page can show without: each is a file of its own, fetched when it is first opened, or before, when the page
// has nothing else to do. By then a line that breaks takes nothing away from the page.

export const laterParts = {
  help: () => import('./help/help-sheet.tsx'),
  import: () => import('./import/import-sheet.tsx'),
  sets: () => import('./sets/sets-sheet.tsx'),
  list: () => import('./slip/slip-list.tsx'),
  board: () => import('./board/number-board.tsx'),
  marketChoices: () => import('./market/market-choices.tsx'),
  partialReceipt: async () => (await Promise.all([import('./submit/partial-receipt.tsx'), loadArea('decision')]))[0],
}

/** What is on screen is used first; the rest may take its time. */
const AFTER_MS = 4_000

/** Fetches every part the page may come to need, one after the other, once it stands. */
export function useLaterParts(): void {
  useEffect(() => {
    const timer = setTimeout(() => void fetchAll(), AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}

async function fetchAll(): Promise<void> {
  const parts = [...betStyles.map((style) => styleFiles[style]), ...Object.values(laterParts)]
  for (const load of parts) {
    try {
      await load()
    } catch {
      // Asked for again when it is opened.
    }
  }
}
