/** A pasted block: cells by row, and how many of them hold something that is no number. */
export interface PastedBlock {
  cells: readonly (readonly string[])[]
  dropped: number
}

/**
 * Reads a block from a spreadsheet or a chat: TABs between cells, line breaks between rows. Thousands separators and
 * Thai digits are understood, "-" and an empty cell mean nothing; a cell with letters is left out and counted, and with
 * it its whole row where it should have been the number. Null where the text is a single plain cell, which the field
 * itself can take.
 */
export function readPastedBlock(text: string, startsAtNumber: boolean): PastedBlock | null {
  const normal = text.normalize('NFKC').replace(/\r\n?/g, '\n').replace(/\n+$/, '')
  if (!/[\t\n]/.test(normal)) return null
  let dropped = 0
  const cells: string[][] = []
  for (const line of normal.split('\n')) {
    if (line.trim() === '') continue
    const read = line.split('\t').map(readCell)
    dropped += read.filter((cell) => cell === null).length
    if (!startsAtNumber || read[0] !== null) cells.push(read.map((cell) => cell ?? ''))
  }
  return { cells, dropped }
}

/** The digits of a cell, nothing for a blank one, and null for one that is no number. */
function readCell(cell: string): string | null {
  const plain = cell
    .trim()
    .replace(/(\d),(?=\d{3}(\D|$))/g, '$1')
    .replace(/\.00?$/, '')
  if (plain === '' || plain === '-') return ''
  return /^[0-9๐-๙]+$/.test(plain) ? plain : null
}
