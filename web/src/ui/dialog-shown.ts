// A dialog lies over everything that was shown before it, also over what floats above the page: that is shown again after it.

const callbacks = new Set<() => void>()

/** @returns what ends the subscription */
export function onDialogShown(callback: () => void): () => void {
  callbacks.add(callback)
  return () => void callbacks.delete(callback)
}

export function publishDialogShown(): void {
  for (const callback of callbacks) callback()
}
