import type { AnyRouter } from '@tanstack/react-router'

/** Later than the first page's own files, replies and fonts. */
const AFTER_MS = 2_000

/** Loads the measurement of web vitals once the first page has rested. @param base of the application's paths */
export function startVitals(router: AnyRouter, base: string): void {
  const readPage = (): string => base + router.state.matches.at(-1)!.fullPath
  const stop = router.subscribe('onRendered', () => {
    stop()
    const firstPage = readPage()
    setTimeout(() => {
      // A visit without them is not counted.
      import('./vitals.ts').then(
        ({ measureVitals }) => measureVitals(firstPage, readPage),
        () => {},
      )
    }, AFTER_MS)
  })
}
