import { Button } from '../../../ui/button.tsx'
import { TextInput, Textarea } from '../../../ui/text-input.tsx'
import type { Announcement, AnnouncementContent } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Intro, Stack } from '../../../ui/layout.tsx'
import { saveAnnouncement } from './queries.ts'
import { useChange } from '../../../lib/api/use-change.ts'

/** Writes an announcement, in both languages. */
export function AnnouncementForm({ announcement, onDone }: { announcement: Announcement | null; onDone: () => void }) {
  const t = useTranslations('messages')
  const { isBusy, failure, run } = useChange(saveAnnouncement)
  const fields = useForm({
    initial: {
      type: announcement?.type ?? 'news',
      title_th: announcement?.title_th ?? '',
      body_th: announcement?.body_th ?? '',
      title_en: announcement?.title_en ?? '',
      body_en: announcement?.body_en ?? '',
      is_enabled: announcement?.is_enabled ?? true,
    },
    check: ({ title_th, title_en }) => ({
      title_th: title_th.trim() === '' ? t('problem.title') : null,
      title_en: title_en.trim() === '' ? t('problem.title') : null,
    }),
    send: async ({ type, title_th, body_th, title_en, body_en, is_enabled }) => {
      const content: AnnouncementContent = {
        type,
        title_th: title_th.trim(),
        title_en: title_en.trim(),
        body_th: body_th.trim(),
        body_en: body_en.trim(),
        is_enabled,
      }
      if (!(await run({ announce_id: announcement?.announce_id ?? null, ...content }))) return
      showToast('good', t('saved'))
      onDone()
    },
  })
  const body = (language: 'th' | 'en') => (
    <Textarea
      {...fields.propsOf(`body_${language}`)}
      label={t(`body_${language}`)}
      lang={language}
      rows={4}
      maxLength={5_000}
    />
  )
  return (
    <Stack
      as="form"
      gap={14}
      noValidate
      aria-label={t(announcement === null ? 'write' : 'change')}
      onSubmit={fields.submit}
    >
      <SegmentedControl
        label={t('type')}
        {...fields.propsOf('type')}
        choices={[
          { value: 'news', label: t('news') },
          { value: 'important', label: t('important') },
        ]}
      />
      <TextInput {...fields.propsOf('title_th')} label={t('title_th')} maxLength={200} lang="th" />
      {body('th')}
      <TextInput {...fields.propsOf('title_en')} label={t('title_en')} maxLength={200} lang="en" />
      {body('en')}
      <Checkbox label={t('show_to_all')} {...fields.propsOf('is_enabled')} />
      {announcement !== null && <Intro most="68ch">{t('unread_again')}</Intro>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Stack>
  )
}
