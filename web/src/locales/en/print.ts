import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/print.ts'

export const messages = { print: 'Print', back: 'Back', at: 'printed {time}' } as const satisfies SameKeys<typeof thai>
