/** Focuses an element of a dialog. Where the dialog is about to be shown, the browser looks for the attribute. */
export function focusInDialog(element: HTMLElement | null | undefined): void {
  element?.toggleAttribute('autofocus', true)
  element?.focus()
}
