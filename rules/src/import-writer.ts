// Writes slip lines as text that the import reads again: one member copies, another pastes,
// and both have the same lines in the same order.
//
//   2top 12 for 50 and 2bottom 12 for 50 → 12=50*50          3roll 123 for 100 → 123=0*0*100

import { isBetTypeCode, isNumberOf } from './bet-type.ts'
import { importColumns } from './import-reader.ts'
import { MAX_LINE_SATANG, type SlipLine } from './slip.ts'
import { columnOfBetType } from './stake-column.ts'

/** Whether text can represent a line: a valid number, and a stake of whole Baht above 0. */
function isWritable(line: SlipLine): boolean {
  return (
    isBetTypeCode(line.bet_type) &&
    isNumberOf(line.bet_type, line.number) &&
    Number.isInteger(line.bet_satang / 100) &&
    line.bet_satang > 0 &&
    line.bet_satang <= MAX_LINE_SATANG
  )
}

/**
 * Writes slip lines as text. Adjacent lines of one number share a line of text if the columns keep their order, so that
 * reading the text returns the same lines. Lines that no ticket can hold (a number that does not fit its bet type, no
 * stake of whole Baht) are left out.
 * @param is_second_roll as in `ImportOptions`; must be the same when the text is read
 */
export function writeImportText(lines: readonly SlipLine[], is_second_roll = false): string {
  const texts: string[] = []
  let number = ''
  let amounts: number[] = []
  const finishText = (): void => {
    if (amounts.length > 0) texts.push(`${number}=${amounts.join('*')}`)
    amounts = []
  }
  for (const line of lines.filter(isWritable)) {
    const column = importColumns(line.number.length, is_second_roll).indexOf(columnOfBetType(line.bet_type))
    if (line.number !== number || column < amounts.length) finishText()
    number = line.number
    // Skipped columns are 0.
    while (amounts.length < column) amounts.push(0)
    amounts.push(line.bet_satang / 100)
  }
  finishText()
  return texts.join('\n')
}
