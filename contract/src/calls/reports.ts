export const listTransactions = {
  name: 'listTransactions',
  method: 'GET',
  path: '/mgluser/profit/transaction_list',
} as const
export const listUserTransactions = {
  name: 'listUserTransactions',
  method: 'GET',
  path: '/mgluser/profit/transaction_list/:user_id',
} as const
export const exportTransactions = {
  name: 'exportTransactions',
  method: 'GET',
  path: '/mgluser/profit/transaction_csv',
} as const
export const listPeriodWinLoss = { name: 'listPeriodWinLoss', method: 'GET', path: '/api/report/win_loss' } as const
export const listPeriodWinLossTickets = {
  name: 'listPeriodWinLossTickets',
  method: 'GET',
  path: '/api/report/win_loss/:period_code',
} as const
export const getWinLossSummary = {
  name: 'getWinLossSummary',
  method: 'POST',
  path: '/api/admin/report/user_win_loss_summary',
} as const
export const exportWinLossSummary = {
  name: 'exportWinLossSummary',
  method: 'POST',
  path: '/api/admin/report/user_win_loss_summary_csv',
} as const
export const listLuckiestNumbers = {
  name: 'listLuckiestNumbers',
  method: 'GET',
  path: '/api/report/luckiest_numbers',
} as const
