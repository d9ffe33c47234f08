export const getPlayLimits = { name: 'getPlayLimits', method: 'GET', path: '/mgluser/play_limits' } as const
export const setPlayLimit = { name: 'setPlayLimit', method: 'POST', path: '/mgluser/play_limits' } as const
export const takeBreak = { name: 'takeBreak', method: 'POST', path: '/mgluser/play_limits/break' } as const
