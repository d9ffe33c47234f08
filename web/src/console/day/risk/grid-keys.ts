/** A cell of the board. */
export interface GridPlace {
  row: number
  column: number
}

const PAGE = 12

/** The cell to which a key leads; null: the key leads nowhere. */
export function moveInGrid(
  { row, column }: GridPlace,
  key: string,
  { rows, columns }: { rows: number; columns: number },
): GridPlace | null {
  const at = (nextRow: number, nextColumn: number): GridPlace => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  })
  switch (key) {
    case 'ArrowDown':
      return at(row + 1, column)
    case 'ArrowUp':
      return at(row - 1, column)
    case 'ArrowRight':
      return at(row, column + 1)
    case 'ArrowLeft':
      return at(row, column - 1)
    case 'PageDown':
      return at(row + PAGE, column)
    case 'PageUp':
      return at(row - PAGE, column)
    case 'Home':
      return at(0, column)
    case 'End':
      return at(rows - 1, column)
    default:
      return null
  }
}
