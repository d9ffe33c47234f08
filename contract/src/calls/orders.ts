export const placeOrder = { name: 'placeOrder', method: 'POST', path: '/api/order/create' } as const
export const getOrder = { name: 'getOrder', method: 'GET', path: '/api/order/:order_id' } as const
export const findOrderByRequestId = {
  name: 'findOrderByRequestId',
  method: 'GET',
  path: '/api/order/request_id/:request_id',
} as const
export const listPeriodOrders = { name: 'listPeriodOrders', method: 'GET', path: '/api/order/period' } as const
export const listPeriodOrdersFirstForm = {
  name: 'listPeriodOrdersFirstForm',
  method: 'GET',
  path: '/api/order',
} as const
export const listOrders = { name: 'listOrders', method: 'GET', path: '/api/order/list' } as const
export const listDeletedOrders = {
  name: 'listDeletedOrders',
  method: 'GET',
  path: '/api/bill/listDeletedBills',
} as const
export const getOrderStatus = { name: 'getOrderStatus', method: 'GET', path: '/api/order/status/:order_id' } as const
export const confirmOrder = { name: 'confirmOrder', method: 'POST', path: '/api/order/:order_id/confirm' } as const
export const cancelOrder = { name: 'cancelOrder', method: 'POST', path: '/api/order/:order_id/cancel' } as const
export const deleteOrder = { name: 'deleteOrder', method: 'POST', path: '/api/order/:order_id/delete' } as const
