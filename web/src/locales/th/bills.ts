export const messages = { title: '' } as const
