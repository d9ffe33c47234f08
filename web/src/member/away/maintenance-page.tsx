import { checkMaintenance } from '@megalot/contract/browser'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconTools from '~icons/tools'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant, formatMoment, timeLeftUntil } from '../../lib/format/dates.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { endMaintenance, messageOf, useMaintenance } from '../../lib/session/maintenance-store.ts'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import { serverNowMs, useServerTime } from '../../lib/clock/server-clock.ts'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { switchLanguage } from '../../lib/i18n/language-store.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Hint, Stack } from '../../ui/layout.tsx'
import classes from './away.module.css'

const route = getRouteApi('/maintenance')
const ASK_EVERY_MS = 15_000

/** Shown while members are kept out; it looks by itself whether that is over, and then goes on where one was. */
export function MaintenancePage() {
  const t = useTranslations('away.maintenance')
  const language = useLocale()
  const activeMaintenance = useMaintenance((state) => state.activeMaintenance)
  const until_at = activeMaintenance?.until_at ?? null
  const { ask, askedMs } = useAsking()
  useNamedPage(t('title'))

  return (
    <main className={classes.page}>
      <LanguageSwitch onSwitch={switchLanguage} />
      <IconTools size={56} stroke={1.4} aria-hidden="true" className={classes.sign} />
      <h1 className={classes.title}>{t('title')}</h1>
      {activeMaintenance !== null && (
        <Card as="p" pad={[12, 16]} className={classes.message}>
          {messageOf(activeMaintenance, language)}
        </Card>
      )}
      {until_at !== null && <Until until_at={until_at} />}
      <p className={classes.text}>{t('safe')}</p>
      <p className={classes.text}>{t('by_itself')}</p>
      <Button variant="default" onClick={ask}>
        {t('ask')}
      </Button>
      {askedMs !== null && <Hint>{t('asked', { time: formatInstant(askedMs, language, 'timeWithSeconds') })}</Hint>}
    </main>
  )
}

/** The expected end of maintenance. The countdown disappears at zero, because it may take longer. */
function Until({ until_at }: { until_at: string }) {
  const t = useTranslations('away.maintenance')
  const time = useTranslations('common.time')
  const language = useLocale()
  const untilMs = Date.parse(until_at)
  const leftSeconds = useServerTime((nowMs) => Math.max(0, Math.floor((untilMs - nowMs) / 1000)))
  const { days, clock } = timeLeftUntil(leftSeconds * 1000, 0)
  return (
    <Stack align="center">
      <p>{t('until', { time: formatMoment(untilMs, serverNowMs(), language) })}</p>
      {leftSeconds > 0 && (
        <p className={classes.left}>
          <span className="number" role="timer" aria-live="off">
            {days > 0 ? time('with_days', { days: String(days), clock }) : clock}
          </span>
        </p>
      )}
    </Stack>
  )
}

/** Asks now and then whether it is over, and leaves when it is. */
function useAsking(): { ask: () => void; askedMs: number | null } {
  const navigate = useNavigate()
  const { back } = route.useSearch()
  const [askedMs, setAskedMs] = useState<number | null>(null)
  const askNow = useRef(() => {})

  useEffect(() => {
    const ask = async (): Promise<void> => {
      const { data } = await callRoute(checkMaintenance, {})
      if (data.is_maintained) {
        useMaintenance.setState({ activeMaintenance: data.maintenance })
        setAskedMs(Date.now())
        return
      }
      endMaintenance()
      await navigate({ href: back ?? '/', replace: true })
    }
    askNow.current = (): void => void ask().catch(() => undefined)
    askNow.current()
    const timer = setInterval(askNow.current, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [back, navigate])
  return { ask: () => askNow.current(), askedMs }
}
