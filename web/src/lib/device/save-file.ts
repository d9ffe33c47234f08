/** Hands a file to the browser as a download. */
export function saveFile(filename: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A text file of the server, unchanged: its first bytes say to spreadsheets how to read it. */
export function saveText({ filename, text }: { filename: string; text: string }): void {
  saveFile(filename, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}
