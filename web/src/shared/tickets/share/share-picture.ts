/** The picture of a ticket as a file, to be shared or saved. */
export function pictureFile(order_id: number, blob: Blob): File {
  return new File([blob], `megalot-${order_id}.png`, { type: 'image/png' })
}

/** Whether the device can pass files on to its other applications. */
export function canShareFile(file: File): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] })
}

/**
 * Opens the device's own sheet to send a file.
 * @returns whether the sheet was opened; closing it is no failure
 */
export async function shareFile(file: File, title: string): Promise<boolean> {
  try {
    await navigator.share({ files: [file], title })
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
