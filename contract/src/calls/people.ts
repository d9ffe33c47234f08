export const listPeople = { name: 'listPeople', method: 'GET', path: '/mgluser/people' } as const
export const getPerson = { name: 'getPerson', method: 'GET', path: '/mgluser/people/:user_id' } as const
export const getContact = { name: 'getContact', method: 'GET', path: '/mgluser/contact' } as const
export const sumPeople = { name: 'sumPeople', method: 'GET', path: '/mgluser/people/sums' } as const
export const createMembers = {
  name: 'createMembers',
  method: 'POST',
  path: '/mgluser/people/bulk/new',
} as const
export const changeContactNote = {
  name: 'changeContactNote',
  method: 'POST',
  path: '/mgluser/people/:user_id/contact',
} as const
export const changeContact = { name: 'changeContact', method: 'POST', path: '/mgluser/contact' } as const
export const listPersonActs = { name: 'listPersonActs', method: 'GET', path: '/mgluser/people/:user_id/acts' } as const
export const createPerson = { name: 'createPerson', method: 'POST', path: '/mgluser/people' } as const
export const changeStatuses = { name: 'changeStatuses', method: 'POST', path: '/mgluser/people/bulk/status' } as const
export const changeCreditLimits = {
  name: 'changeCreditLimits',
  method: 'POST',
  path: '/mgluser/people/bulk/credit',
} as const
export const changePackages = { name: 'changePackages', method: 'POST', path: '/mgluser/people/bulk/packages' } as const
export const changeDisplayNames = {
  name: 'changeDisplayNames',
  method: 'POST',
  path: '/mgluser/people/bulk/names',
} as const
export const resetPasswords = {
  name: 'resetPasswords',
  method: 'POST',
  path: '/mgluser/people/bulk/passwords',
} as const
export const endPeopleSessions = {
  name: 'endPeopleSessions',
  method: 'POST',
  path: '/mgluser/people/bulk/sessions/end',
} as const
export const listAgentCodes = { name: 'listAgentCodes', method: 'GET', path: '/mgluser/agent_codes' } as const
export const createAgentCode = { name: 'createAgentCode', method: 'POST', path: '/mgluser/agent_codes' } as const
export const switchAgentCode = {
  name: 'switchAgentCode',
  method: 'POST',
  path: '/mgluser/agent_codes/:code/switch',
} as const
