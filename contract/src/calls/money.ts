export const getWeekSheet = { name: 'getWeekSheet', method: 'GET', path: '/mgluser/money/sheet' } as const
export const getEdge = { name: 'getEdge', method: 'GET', path: '/mgluser/money/edges/:user_id' } as const
export const getMoneyHome = { name: 'getMoneyHome', method: 'GET', path: '/mgluser/money/home' } as const
export const recordPayments = { name: 'recordPayments', method: 'POST', path: '/mgluser/money/payments' } as const
export const adjustBalance = { name: 'adjustBalance', method: 'POST', path: '/mgluser/money/adjustments' } as const
export const reversePayment = { name: 'reversePayment', method: 'POST', path: '/mgluser/money/reversals' } as const
export const listPayments = { name: 'listPayments', method: 'GET', path: '/mgluser/money/payments' } as const
export const getPayment = { name: 'getPayment', method: 'GET', path: '/mgluser/money/payments/:payment_id' } as const
export const addPaymentSlip = {
  name: 'addPaymentSlip',
  method: 'POST',
  path: '/mgluser/money/payments/:payment_id/slip',
} as const
export const getPaymentSlip = {
  name: 'getPaymentSlip',
  method: 'GET',
  path: '/mgluser/money/payments/:payment_id/slip',
} as const
export const disputePayment = {
  name: 'disputePayment',
  method: 'POST',
  path: '/mgluser/money/payments/:payment_id/dispute',
} as const
export const answerDispute = {
  name: 'answerDispute',
  method: 'POST',
  path: '/mgluser/money/payments/:payment_id/answer',
} as const
export const setEdgeTerms = { name: 'setEdgeTerms', method: 'POST', path: '/mgluser/money/edges/:user_id' } as const
export const getCashBook = { name: 'getCashBook', method: 'GET', path: '/mgluser/money/cash' } as const
export const countCash = { name: 'countCash', method: 'POST', path: '/mgluser/money/cash/counts' } as const
export const handOverCash = { name: 'handOverCash', method: 'POST', path: '/mgluser/money/cash/handovers' } as const
export const listClearings = { name: 'listClearings', method: 'GET', path: '/mgluser/money/clearings' } as const
export const getClearing = {
  name: 'getClearing',
  method: 'GET',
  path: '/mgluser/money/clearings/:clearing_id',
} as const
export const changeClearing = {
  name: 'changeClearing',
  method: 'POST',
  path: '/mgluser/money/clearings/:clearing_id',
} as const
export const getOwnMoney = { name: 'getOwnMoney', method: 'GET', path: '/mgluser/money/own' } as const
