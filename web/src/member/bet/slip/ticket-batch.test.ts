import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitIntoTickets } from './ticket-batch.ts'

test('every line is on exactly one ticket, in order, and no ticket has too many or could take the next row', () => {
  const rows = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 4, max: 12 }), (sizes, most) => {
      const lines = sizes.flatMap((size, row) => Array.from({ length: size }, (_, column) => ({ row, column })))
      const tickets = splitIntoTickets(lines, most)
      expect(tickets.flat()).toEqual(lines)
      for (const [at, ticket] of tickets.entries()) {
        expect(ticket.length).toBeLessThanOrEqual(most)
        const next = tickets[at + 1]
        if (next === undefined) continue
        expect(next[0]!.row).not.toBe(ticket.at(-1)!.row)
        expect(ticket.length + next.filter(({ row }) => row === next[0]!.row).length).toBeGreaterThan(most)
      }
    }),
  )
})

test('a slip without lines is one empty ticket', () => {
  expect(splitIntoTickets([], 500)).toEqual([[]])
})
