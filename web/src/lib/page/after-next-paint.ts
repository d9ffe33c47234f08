/** In a tab in the background no frame is ever drawn. */
const LONGEST_WAIT_MS = 200

let painted: Promise<void> | null = null

/**
 * Until the browser has drawn what is to be shown when this is first called: what comes beside the page asks the server
 * after that, so that it takes nothing from the page itself. Later it waits for nothing.
 */
export function afterNextPaint(): Promise<void> {
  painted ??= new Promise((resolve) => {
    setTimeout(resolve, LONGEST_WAIT_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })
  return painted
}
