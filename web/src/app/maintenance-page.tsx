import { checkMaintenance } from '@megalot/contract'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../lib/dates.ts'
import { callRoute } from '../lib/http-client.ts'
import { endMaintenance, messageOf, useMaintenance } from '../lib/maintenance-store.ts'
import { useNamedPage } from '../lib/page-title-store.ts'
import classes from './centred.module.css'

const route = getRouteApi('/maintenance')
const ASK_EVERY_MS = 15_000

/** Shown while members are kept out; it looks by itself whether that is over, and then goes on where one was. */
export function MaintenancePage() {
  const t = useTranslations('common.maintenance')
  const language = useLocale()
  const navigate = useNavigate()
  const { back } = route.useSearch()
  const told = useMaintenance((state) => state.told)
  const until_at = told?.until_at ?? null
  useNamedPage(t('title'))

  useEffect(() => {
    const ask = async (): Promise<void> => {
      const { data } = await callRoute(checkMaintenance, {})
      if (data.is_maintained) {
        useMaintenance.setState({ told: data.maintenance })
        return
      }
      endMaintenance()
      await navigate({ href: back ?? '/', replace: true })
    }
    const askQuietly = (): void => void ask().catch(() => undefined)
    askQuietly()
    const timer = setInterval(askQuietly, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [back, navigate])

  return (
    <main className={classes.centred}>
      <h1 className={classes.title}>{t('title')}</h1>
      {told !== null && <p className={classes.text}>{messageOf(told, language)}</p>}
      {until_at !== null && (
        <p className={classes.text}>{t('until', { time: formatInstant(until_at, language, 'dayAndTime') })}</p>
      )}
      <p className={classes.text}>{t('safe')}</p>
    </main>
  )
}
