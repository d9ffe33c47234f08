export const getPushKey = { name: 'getPushKey', method: 'GET', path: '/mgluser/push/key' } as const
export const subscribePush = { name: 'subscribePush', method: 'POST', path: '/mgluser/push/subscribe' } as const
export const unsubscribePush = { name: 'unsubscribePush', method: 'POST', path: '/mgluser/push/unsubscribe' } as const
