// When the person at this screen last did something. Calls carry it (`IDLE_HEADER`), because the screen also calls by
// itself: a page that nobody touches must not keep its session alive, and typing without a call must.

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'input', 'click', 'wheel', 'touchmove'] as const

/** A page is opened by a person. */
let activeAtMs = Date.now()

/** For how long nothing was done here, in ms. */
export function readIdleMs(): number {
  return Math.max(0, Math.round(Date.now() - activeAtMs))
}

/** Tracks pointer, touch and key activity while this page is open. */
export function watchPersonActivity(target: EventTarget): void {
  for (const sign of SIGNS) target.addEventListener(sign, noteActivity, { capture: true, passive: true })
}

function noteActivity(event: Event): void {
  if (!event.isTrusted || isStill(event)) return
  activeAtMs = Date.now()
}

/** The browser also reports a pointer that did not move when something else moves below it. */
function isStill(event: Event): boolean {
  return (
    event.type === 'pointermove' && (event as PointerEvent).movementX === 0 && (event as PointerEvent).movementY === 0
  )
}
