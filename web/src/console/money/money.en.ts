import type { SameKeys } from '../../lib/i18n/messages.ts'

export const messages: SameKeys<AppMessages['money']> = {
  balance: { collect: 'To collect', pay: 'To pay', clear: 'Settled' },
  above: { collect: 'To collect from above', pay: 'To pass up', clear: 'Settled' },
  method: { cash: 'Cash', transfer: 'Transfer', offset: 'Offset' },
  clearing: { weekly: 'Cleared every Monday', rolling: 'Carried forward', at_figure: 'At the settle figure' },
}
