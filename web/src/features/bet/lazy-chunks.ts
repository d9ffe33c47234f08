import { lazy, useEffect } from 'react'
import type { ComponentType } from 'react'
import { loadArea } from '../../lib/i18n/language-store.ts'
import { betStyles, remembered, styleFiles } from './entry/style-chunks.ts'
import type { Part } from './entry/style-chunks.ts'

// What the page can show without: each is a file of its own, fetched when it is first opened, or before, when the page
// has nothing else to do. By then a line that breaks takes nothing away from the page.

export const laterParts = {
  help: remembered(() => import('./help/help-sheet.tsx')),
  import: remembered(() => import('./import/import-sheet.tsx')),
  sets: remembered(() => import('./sets/sets-sheet.tsx')),
  list: remembered(() => import('./slip/slip-list.tsx')),
  board: remembered(() => import('./board/number-board.tsx')),
  marketChoices: remembered(() => import('./market/market-choices.tsx')),
  partialReceipt: remembered(
    async () => (await Promise.all([import('./submit/partial-receipt.tsx'), loadArea('decision')]))[0],
  ),
}

/**
 * A part of the page, shown at once where its file is there: React asks for a promise's value a moment later, and keeps what
 * it shows meanwhile on screen for 300 ms.
 */
export function lazyPart<Module, Props>(file: Part<Module>, pick: (module: Module) => ComponentType<Props>) {
  type Loaded = { default: ComponentType<Props> }
  return lazy(() => {
    const { module } = file
    if (module === undefined) return file().then((loaded): Loaded => ({ default: pick(loaded) }))
    // React takes whatever has a `then`, and one that calls back before it returns makes it wait for nothing.
    // oxlint-disable-next-line unicorn/no-thenable
    return { then: (take: (loaded: Loaded) => void) => take({ default: pick(module) }) } as Promise<Loaded>
  })
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
