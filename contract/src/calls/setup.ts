export const createFirstOwner = { name: 'createFirstOwner', method: 'POST', path: '/megalot/auth/setup' } as const
export const inviteOwner = { name: 'inviteOwner', method: 'POST', path: '/mgluser/staff/owner' } as const
