import type { NumberState } from '@megalot/rules'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'

/** The sign of a number that is nearly full or closed, with its word for readers. */
export function NumberMark({ state }: { state: NumberState | null }) {
  const t = useTranslations('entry.board')
  if (state === null) return null
  const Icon = state === 'grey' ? IconLock : IconAlertTriangle
  return (
    <>
      <Icon size={13} stroke={2} aria-hidden="true" />
      <span className="visually-hidden">{t(state)}</span>
    </>
  )
}
