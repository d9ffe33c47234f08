export const messages = { print: 'พิมพ์', back: 'กลับ', at: 'พิมพ์เมื่อ {time}' } as const
