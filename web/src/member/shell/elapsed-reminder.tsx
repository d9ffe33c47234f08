import { Button } from '../../ui/button.tsx'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useReminder } from '../../lib/session/play-reminder.ts'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import classes from './main-layout.module.css'

const MINUTE_MS = 60_000

/** Shows how long the member has been here, at the interval that the member has chosen. */
export function ElapsedReminder() {
  const t = useTranslations('shell.reminder')
  const every = useReminder((state) => state.minutes)
  const [sinceMs] = useState(() => Date.now())
  const [minutes, setMinutes] = useState<number | null>(null)
  useEffect(() => {
    if (every === 0) return undefined
    const timer = setInterval(() => {
      setMinutes(Math.round((Date.now() - sinceMs) / MINUTE_MS))
    }, every * MINUTE_MS)
    return () => clearInterval(timer)
  }, [every, sinceMs])
  const close = (): void => setMinutes(null)
  return (
    <DialogSheet isOpen={minutes !== null} onClose={close} title={t('title')}>
      <p>{t('text', { minutes: String(minutes ?? 0) })}</p>
      <p className={classes.reminderLine}>
        <Button onClick={close}>{t('go_on')}</Button>
        <Link to="/account/limits" onClick={close}>
          {t('limits')}
        </Link>
      </p>
    </DialogSheet>
  )
}
