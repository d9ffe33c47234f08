/** A pasted block: cells by row, and how many of them hold something that is no number. */
export interface PastedBlock {
  cells: readonly (readonly string[])[]
  dropped: number
}

/**
 * Reads a block from a spreadsheet or a chat: TABs between cells, line breaks between rows. Thousands separators and
 * Thai digits are understood, "-" and an empty cell mean nothing; a cell with letters is left out and counted.
 * Null where the text is a single plain cell, which the field itself can take.
 */
export function readPastedBlock(text: string): PastedBlock | null {
  const normal = text.normalize('NFKC').replace(/\r\n?/g, '\n').replace(/\n+$/, '')
  if (!/[\t\n]/.test(normal)) return null
  let dropped = 0
  const cells = normal
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line.split('\t').map((cell) => {
        const plain = cell
          .trim()
          .replace(/(\d),(?=\d{3}(\D|$))/g, '$1')
          .replace(/\.00?$/, '')
        if (plain === '' || plain === '-') return ''
        if (/^[0-9๐-๙]+$/.test(plain)) return plain
        dropped += 1
        return ''
      }),
    )
  return { cells, dropped }
}
