/** In a tab in the background no frame is ever drawn. */
const MAX_WAIT_MS = 200

/** Calls back once the browser has drawn the frame that is due. @returns what takes the call back */
export function onceAfterFrame(work: () => void): () => void {
  let frame = 0
  let timer = setTimeout(finish, MAX_WAIT_MS)
  function finish(): void {
    cancel()
    work()
  }
  function cancel(): void {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
  }
  frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(finish)
  })
  return cancel
}
