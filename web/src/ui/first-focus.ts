const FIELD = ':is(input:not([type=radio],[type=file]),select,textarea)'
const CONFIRM = 'button:is([type=submit],[data-confirms])'

/** The first field, or without fields the button that confirms. */
export function findFirstFocus(root: HTMLElement): HTMLElement | undefined {
  const find = (selector: string): HTMLElement | undefined =>
    [...root.querySelectorAll<HTMLElement>(selector)].find(
      (element) => !element.matches(':disabled') && element.checkVisibility(),
    )
  return find(FIELD) ?? find(CONFIRM)
}

/** The Enter that has opened a dialog must not confirm it because it is held. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
}

/**
 * Focuses what is first in a dialog that was just shown, also when it comes later, unless something within has the focus
 * by then: the dialog itself has it meanwhile. On a touch screen it keeps it, because a keyboard would cover what the
 * dialog says.
 * @returns what ends it
 */
export function keepFirstFocus(dialog: HTMLElement): () => void {
  const focus = (): void => {
    const { activeElement } = document
    if (activeElement === dialog || activeElement === document.body) (findFirstFocus(dialog) ?? dialog).focus()
  }
  const observer = new MutationObserver(focus)
  if (!matchMedia('(pointer: coarse)').matches) {
    focus()
    observer.observe(dialog, { childList: true, subtree: true })
  }
  dialog.addEventListener('keydown', ignoreHeldEnter)
  return () => {
    observer.disconnect()
    dialog.removeEventListener('keydown', ignoreHeldEnter)
  }
}
