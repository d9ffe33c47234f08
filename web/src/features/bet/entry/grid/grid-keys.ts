import type { KeyboardEvent } from 'react'
import { columns } from '../../slip/slip-columns.ts'
import type { Column } from '../../slip/slip-columns.ts'

/** The place of a cell, as its field carries it in `data-row` and `data-column`. */
export interface CellPlace {
  row: number
  column: Column
}

export function placeOfField(target: EventTarget | null): CellPlace | null {
  if (!(target instanceof HTMLInputElement)) return null
  const { row, column } = target.dataset
  if (row === undefined || !columns.includes(column as Column)) return null
  return { row: Number(row), column: column as Column }
}

function fieldsOf(grid: HTMLElement): readonly HTMLInputElement[] {
  return [...grid.querySelectorAll<HTMLInputElement>('input[data-row]:not(:disabled)')]
}

function focusField(field: HTMLInputElement | undefined): boolean {
  if (field === undefined) return false
  field.focus()
  field.select()
  return true
}

/** The cell so many steps further on among those that apply, reading row by row. */
export function stepInGrid(grid: HTMLElement, from: HTMLInputElement, steps: 1 | -1): boolean {
  const fields = fieldsOf(grid)
  return focusField(fields[fields.indexOf(from) + steps])
}

/** The same column in the row above or below, or that row's number where the column does not apply. */
export function stepInColumn(grid: HTMLElement, place: CellPlace, steps: 1 | -1): boolean {
  return focusCell(grid, { row: place.row + steps, column: place.column })
}

export function focusCell(grid: HTMLElement, { row, column }: CellPlace): boolean {
  const inRow = fieldsOf(grid).filter((field) => field.dataset['row'] === String(row))
  return focusField(inRow.find((field) => field.dataset['column'] === column) ?? inRow[0])
}

/** Enter and the arrows move between cells; the left and right ones only from the edge of the text. */
export function moveByKey(grid: HTMLElement, event: KeyboardEvent): boolean {
  const place = placeOfField(event.target)
  if (place === null || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return false
  const field = event.target as HTMLInputElement
  const isAllSelected = field.selectionStart === 0 && field.selectionEnd === field.value.length
  switch (event.key) {
    case 'Enter':
      return stepInGrid(grid, field, event.shiftKey ? -1 : 1)
    case 'ArrowRight':
      return (isAllSelected || field.selectionStart === field.value.length) && stepInGrid(grid, field, 1)
    case 'ArrowLeft':
      return (isAllSelected || field.selectionEnd === 0) && stepInGrid(grid, field, -1)
    case 'ArrowDown':
      return stepInColumn(grid, place, 1)
    case 'ArrowUp':
      return stepInColumn(grid, place, -1)
    default:
      return false
  }
}
