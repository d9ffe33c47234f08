import { notifications } from '@mantine/notifications'

const LIFE_MS = 3_000

/** A short word at the edge of the screen. The same text is never shown twice at a time. */
export function showToast(kind: 'good' | 'bad' | 'plain', message: string): void {
  const color = { good: 'green', bad: 'red', plain: 'petrol' }[kind]
  notifications.show({ id: message, message, color, autoClose: LIFE_MS, withBorder: true, withCloseButton: false })
}
