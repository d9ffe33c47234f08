import { Button } from '../../../ui/button.tsx'
import type { Announcement } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import IconEye from '~icons/eye'
import IconEyeOff from '~icons/eye-off'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { textOf, titleOf } from '../../../shared/announcements/queries.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Card, Grid, Heading, Intro, Row, Stack } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { AnnouncementForm } from './announcement-form.tsx'
import classes from './office.module.css'
import { allAnnouncementsQuery, removeAnnouncement, showAnnouncement } from './queries.ts'
import { useChange } from '../../../lib/api/use-change.ts'

type Task = { kind: 'write' } | { kind: 'change' | 'remove'; announcement: Announcement } | null

/** The company writes what everybody reads: shown or not yet, changed, taken away. */
export function OfficeAnnouncementsPage() {
  const t = useTranslations('messages')
  const query = useQuery(allAnnouncementsQuery)
  const [task, setTask] = useState<Task>(null)
  const close = (): void => setTask(null)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro most="68ch">{t('text')}</Intro>
      <div>
        <Button onClick={() => setTask({ kind: 'write' })}>{t('write')}</Button>
      </div>
      <QueryView query={query} skeleton={<Skeleton count={3} height={140} />}>
        {(announcements) =>
          announcements.length === 0 ? (
            <EmptyNote title={t('none')} />
          ) : (
            <Grid as="ul" least={420} gap={12}>
              {announcements.map((one) => (
                <OneAnnouncement
                  key={one.announce_id}
                  announcement={one}
                  onTask={(kind) => setTask({ kind, announcement: one })}
                />
              ))}
            </Grid>
          )
        }
      </QueryView>
      <DialogSheet isOpen={task !== null} onClose={close} title={t(task?.kind ?? 'write')} dismissible="explicitly">
        {task?.kind === 'remove' ? (
          <Removal announcement={task.announcement} onDone={close} />
        ) : (
          <AnnouncementForm announcement={task?.kind === 'change' ? task.announcement : null} onDone={close} />
        )}
      </DialogSheet>
    </>
  )
}

interface OneAnnouncementProps {
  announcement: Announcement
  onTask: (kind: 'change' | 'remove') => void
}

function OneAnnouncement({ announcement, onTask }: OneAnnouncementProps) {
  const t = useTranslations('messages')
  const language = useLocale()
  const { isBusy, failure, run } = useChange(showAnnouncement)
  const { announce_id, type, is_enabled, updated_at } = announcement
  const Icon = is_enabled ? IconEye : IconEyeOff
  return (
    <Card as="li" gap={8} pad={[14, 16]}>
      <Heading>{titleOf(announcement, language)}</Heading>
      <Row as="p" gap={[4, 10]} align="center" size="small" tone="dim">
        <span className={classes.mark} data-on={is_enabled || undefined}>
          <Icon size={16} stroke={1.75} aria-hidden="true" />
          {t(is_enabled ? 'shown' : 'hidden')}
        </span>
        {type === 'important' && <span className={classes.mark}>{t('important')}</span>}
        <span>{formatInstant(updated_at, language, 'dayAndTime')}</span>
      </Row>
      <p className={classes.body}>{textOf(announcement, language)}</p>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Row gap={8} above="auto">
        <Button variant="default" onClick={() => onTask('change')}>
          {t('change')}
        </Button>
        <Button variant="default" isBusy={isBusy} onClick={() => void run({ announce_id, is_enabled: !is_enabled })}>
          {t(is_enabled ? 'hide' : 'show')}
        </Button>
        <Button variant="subtle" tone="bad" onClick={() => onTask('remove')}>
          {t('remove')}
        </Button>
      </Row>
    </Card>
  )
}

/** Confirms the removal. A removed message is gone for everybody and remains only in the audit log. */
function Removal({ announcement, onDone }: { announcement: Announcement; onDone: () => void }) {
  const t = useTranslations('messages')
  const common = useTranslations('common.action')
  const language = useLocale()
  const { isBusy, failure, run } = useChange(removeAnnouncement)
  const remove = async (): Promise<void> => {
    if (!(await run(announcement.announce_id))) return
    showToast('good', t('removed'))
    onDone()
  }
  return (
    <Stack gap={14}>
      <p>{t('remove_text', { title: titleOf(announcement, language) })}</p>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Row gap={8} above="auto">
        <Button tone="bad" isBusy={isBusy} onClick={() => void remove()}>
          {t('remove')}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={onDone}>
          {common('cancel')}
        </Button>
      </Row>
    </Stack>
  )
}
