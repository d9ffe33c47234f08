import { checkMaintenance } from '@megalot/contract/browser'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconCloudOff from '~icons/cloud-off'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type KeptSlip, listKeptSlips } from '../bet/slip/kept-slips.ts'
import { columns } from '../bet/slip/slip-columns.ts'
import { formatMoment } from '../../lib/format/dates.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { useOffline } from '../../lib/session/offline-store.ts'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { useSession } from '../../lib/session/session-store.ts'
import tables from '../../ui/table.module.css'
import { WideTable } from '../../ui/wide-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Heading, Stack, Text } from '../../ui/layout.tsx'
import classes from './away.module.css'

const route = getRouteApi('/offline')
const ASK_EVERY_MS = 5_000

/** Shown without a reply from the server: says so, and lists the stored draft slips. */
export function OfflinePage() {
  const t = useTranslations('away.offline')
  const ask = useAsking()
  const user_id = useSession((session) => session.user_id)
  const [slips] = useState(() => (user_id === null ? [] : listKeptSlips(user_id)))
  useNamedPage(t('title'))

  return (
    <main className={classes.page}>
      <IconCloudOff size={56} stroke={1.4} aria-hidden="true" className={classes.sign} />
      <h1 className={classes.title}>{t('title')}</h1>
      <p className={classes.text}>{t('text')}</p>
      <p className={classes.text}>{t('by_itself')}</p>
      <Button variant="default" onClick={ask}>
        {t('try')}
      </Button>
      {user_id !== null && (
        <Stack as="section" gap={12} above={20} className={classes.kept} aria-label={t('kept')}>
          <Text as="h2" size="lead" strong>
            {t('kept')}
          </Text>
          {slips.length === 0 && <p className={classes.text}>{t('nothing')}</p>}
          {slips.map((slip) => (
            <Slip key={slip.key} slip={slip} />
          ))}
        </Stack>
      )}
    </main>
  )
}

/** Asks now and then whether the server can be reached, and goes on where one was when it can. */
function useAsking(): () => void {
  const navigate = useNavigate()
  const { back = '/' } = route.useSearch()
  const askNow = useRef(() => {})

  useEffect(() => {
    const ask = async (): Promise<void> => {
      // Whatever it says of itself: the next page asks for the rest.
      await callRoute(checkMaintenance, {})
      useOffline.setState({ isOffline: false })
      await navigate({ href: back, replace: true })
    }
    askNow.current = (): void => void ask().catch(() => undefined)
    askNow.current()
    const timer = setInterval(askNow.current, ASK_EVERY_MS)
    window.addEventListener('online', askNow.current)
    const listener = askNow.current
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', listener)
    }
  }, [back, navigate])
  return () => askNow.current()
}

function Slip({ slip: { product_code, names, rows, changed_ms, is_pending } }: { slip: KeptSlip }) {
  const t = useTranslations('away.offline')
  const language = useLocale()
  const used = columns.filter((column) => column === 'number' || rows.some((row) => row[column] !== ''))
  const name = names?.[`name_${language}`] ?? product_code
  return (
    <Card as="article" pad={[12, 16]} aria-label={name}>
      <Heading as="h3">{name}</Heading>
      <Text size="compact" tone="dim">
        {t('rows', { count: rows.length })} ·{' '}
        {t('changed', { time: formatMoment(changed_ms, serverNowMs(), language) })}
      </Text>
      <Text below={4} size="compact" tone="warn" strong>
        {t(is_pending ? 'pending' : 'not_sent')}
      </Text>
      <WideTable label={name}>
        <table className={tables.table}>
          <thead>
            <tr>
              {used.map((column) => (
                <th key={column} scope="col" className={column === 'number' ? undefined : tables.figure}>
                  {t(`column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                {used.map((column) =>
                  column === 'number' ? (
                    <th key={column} scope="row" className="number">
                      {row.number}
                    </th>
                  ) : (
                    <td key={column} className={tables.figure}>
                      {row[column]}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </Card>
  )
}
