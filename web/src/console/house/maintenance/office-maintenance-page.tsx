import { Button } from '../../../ui/button.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { marketsQuery } from '../../../shared/markets/queries.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Card, Fact, Facts, Grid, Heading, Intro, Row } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { EndForm, MaintenanceForm } from './maintenance-form.tsx'
import classes from '../messages/office.module.css'
import { maintenanceQuery } from '../messages/queries.ts'
import type { MaintenanceEntry } from '../messages/queries.ts'

/** The dialog's task: a new maintenance, a change or an end; null if closed. */
type Task = { kind: 'begin' } | { kind: 'change' | 'end'; entry: MaintenanceEntry } | null

/** The office begins, changes and ends times when members are kept out, of everything or of single markets. */
export function OfficeMaintenancePage() {
  const t = useTranslations('maintenance')
  const query = useQuery(maintenanceQuery)
  const nameOf = useScopeNames()
  const [task, setTask] = useState<Task>(null)
  const close = (): void => setTask(null)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro most="68ch">{t('text')}</Intro>
      <div>
        <Button onClick={() => setTask({ kind: 'begin' })}>{t('begin')}</Button>
      </div>
      <QueryView query={query} skeleton={<Skeleton count={2} height={140} />}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyNote title={t('none')} />
          ) : (
            <Grid as="ul" least={420} gap={12}>
              {entries.map((one) => (
                <MaintenanceCard
                  key={one.product_code ?? ''}
                  entry={one}
                  name={nameOf(one.product_code)}
                  onTask={(kind) => setTask({ kind, entry: one })}
                />
              ))}
            </Grid>
          )
        }
      </QueryView>
      <DialogSheet isOpen={task !== null} onClose={close} title={t(task?.kind ?? 'begin')} dismissible="explicitly">
        {task?.kind === 'end' ? (
          <EndForm product_code={task.entry.product_code} name={nameOf(task.entry.product_code)} onDone={close} />
        ) : (
          <MaintenanceForm entry={task?.kind === 'change' ? task.entry : null} onDone={close} />
        )}
      </DialogSheet>
    </>
  )
}

/** The name of a maintenance's subject: the whole product or a market. */
function useScopeNames(): (product_code: string | null) => string {
  const t = useTranslations('maintenance')
  const language = useLocale()
  const { data: markets } = useQuery(marketsQuery)
  return (product_code) => {
    if (product_code === null) return t('everything')
    const market = markets?.find((one) => one.product_code === product_code)
    return market === undefined ? product_code : localizedName(market, language)
  }
}

interface MaintenanceCardProps {
  entry: MaintenanceEntry
  name: string
  onTask: (kind: 'change' | 'end') => void
}

function MaintenanceCard({ entry: { message_th, message_en, until_at }, name, onTask }: MaintenanceCardProps) {
  const t = useTranslations('maintenance')
  const language = useLocale()
  return (
    <Card as="li" gap={8} pad={[14, 16]} className={classes.card} data-warn="">
      <Heading>{name}</Heading>
      <Facts inLines>
        <Fact label={t('message_th')} lang="th">
          {message_th}
        </Fact>
        <Fact label={t('message_en')} lang="en">
          {message_en}
        </Fact>
        <Fact label={t('until')}>
          {until_at === null ? t('open_end') : formatInstant(until_at, language, 'dayAndTime')}
        </Fact>
      </Facts>
      <Row gap={8} above="auto">
        <Button variant="default" onClick={() => onTask('change')}>
          {t('change')}
        </Button>
        <Button onClick={() => onTask('end')}>{t('end')}</Button>
      </Row>
    </Card>
  )
}
