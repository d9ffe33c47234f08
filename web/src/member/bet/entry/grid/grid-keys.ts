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

/** The rows of the sheet are the rows of its table bodies; only those on the way are read. */
function rowBeside(row: HTMLTableRowElement, steps: 1 | -1): HTMLTableRowElement | null {
  const next = steps === 1 ? row.nextElementSibling : row.previousElementSibling
  if (next instanceof HTMLTableRowElement) return next
  const body = steps === 1 ? row.parentElement?.nextElementSibling : row.parentElement?.previousElementSibling
  if (!(body instanceof HTMLTableSectionElement) || body.tagName !== 'TBODY') return null
  return body.rows.item(steps === 1 ? 0 : body.rows.length - 1)
}

function fieldsOfRow(row: Element): readonly HTMLInputElement[] {
  return [...row.querySelectorAll<HTMLInputElement>('input[data-row]:not(:disabled)')]
}

function focusField(field: HTMLInputElement | undefined): boolean {
  if (field === undefined) return false
  field.focus()
  field.select()
  return true
}

/** The cell one step further on among those that apply, reading row by row. */
export function stepInGrid(from: HTMLInputElement, steps: 1 | -1): boolean {
  let row = from.closest('tr')
  if (row === null) return false
  const fields = fieldsOfRow(row)
  const inRow = fields[fields.indexOf(from) + steps]
  if (inRow !== undefined) return focusField(inRow)
  while ((row = rowBeside(row, steps)) !== null) {
    const beside = fieldsOfRow(row)
    if (beside.length > 0) return focusField(beside.at(steps === 1 ? 0 : -1))
  }
  return false
}

/** The same column in the row above or below, or that row's number where the column does not apply. */
export function stepInColumn(grid: HTMLElement, place: CellPlace, steps: 1 | -1): boolean {
  return focusCell(grid, { row: place.row + steps, column: place.column })
}

export function focusCell(grid: HTMLElement, { row, column }: CellPlace): boolean {
  const found = grid.querySelector(`input[data-row="${row}"]`)?.closest('tr')
  if (found === null || found === undefined) return false
  const fields = fieldsOfRow(found)
  return focusField(fields.find((field) => field.dataset['column'] === column) ?? fields[0])
}

/** Whether a field is the first amount of its row that applies. */
export function isFirstAmount(target: EventTarget): boolean {
  if (!(target instanceof HTMLInputElement)) return false
  const row = target.closest('tr')
  return row !== null && fieldsOfRow(row).find(({ dataset }) => dataset['column'] !== 'number') === target
}

/** Enter and the arrows move between cells; the left and right ones only from the edge of the text. */
export function moveByKey(grid: HTMLElement, event: KeyboardEvent): boolean {
  const place = placeOfField(event.target)
  if (place === null || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return false
  const field = event.target as HTMLInputElement
  const isAllSelected = field.selectionStart === 0 && field.selectionEnd === field.value.length
  switch (event.key) {
    case 'Enter':
      return stepInGrid(field, event.shiftKey ? -1 : 1)
    case 'ArrowRight':
      return (isAllSelected || field.selectionStart === field.value.length) && stepInGrid(field, 1)
    case 'ArrowLeft':
      return (isAllSelected || field.selectionEnd === 0) && stepInGrid(field, -1)
    case 'ArrowDown':
      return stepInColumn(grid, place, 1)
    case 'ArrowUp':
      return stepInColumn(grid, place, -1)
    default:
      return false
  }
}
