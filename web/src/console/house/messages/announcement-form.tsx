import { Button } from '../../../ui/button.tsx'
import { TextInput, Textarea } from '../../../ui/text-input.tsx'
import type { Announcement, AnnouncementContent } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useFields } from '../../../lib/forms/use-fields.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Intro, Stack } from '../../../ui/layout.tsx'
import { saveAnnouncement } from './queries.ts'
import { useChange } from '../../../lib/api/use-change.ts'

type Kind = AnnouncementContent['type']

/** Writes an announcement, in both languages. */
export function AnnouncementForm({ announcement, onDone }: { announcement: Announcement | null; onDone: () => void }) {
  const t = useTranslations('messages')
  const { isBusy, failure, run } = useChange(saveAnnouncement)
  const [type, setType] = useState<Kind>(announcement?.type ?? 'news')
  const [is_enabled, setIsEnabled] = useState(announcement?.is_enabled ?? true)
  const [bodies, setBodies] = useState({ th: announcement?.body_th ?? '', en: announcement?.body_en ?? '' })
  const fields = useFields(
    { title_th: announcement?.title_th ?? '', title_en: announcement?.title_en ?? '' },
    (values) => ({
      title_th: values.title_th.trim() === '' ? ('title' as const) : null,
      title_en: values.title_en.trim() === '' ? ('title' as const) : null,
    }),
    (problem) => t(`problem.${problem}`),
  )
  const save = async (): Promise<void> => {
    const { title_th, title_en } = fields.values
    const content: AnnouncementContent = {
      type,
      title_th: title_th.trim(),
      title_en: title_en.trim(),
      body_th: bodies.th.trim(),
      body_en: bodies.en.trim(),
      is_enabled,
    }
    if (!(await run({ announce_id: announcement?.announce_id ?? null, ...content }))) return
    showToast('good', t('saved'))
    onDone()
  }
  const body = (language: 'th' | 'en') => (
    <Textarea
      label={t(`body_${language}`)}
      lang={language}
      rows={4}
      maxLength={5_000}
      value={bodies[language]}
      onChange={(event) => setBodies({ ...bodies, [language]: event.currentTarget.value })}
    />
  )
  return (
    <Stack
      as="form"
      gap={14}
      noValidate
      aria-label={t(announcement === null ? 'write' : 'change')}
      onSubmit={(event) => fields.submit(event, () => void save())}
    >
      <SegmentedControl
        label={t('type')}
        value={type}
        choices={[
          { value: 'news', label: t('news') },
          { value: 'important', label: t('important') },
        ]}
        onChange={setType}
      />
      <TextInput {...fields.propsOf('title_th')} label={t('title_th')} maxLength={200} lang="th" />
      {body('th')}
      <TextInput {...fields.propsOf('title_en')} label={t('title_en')} maxLength={200} lang="en" />
      {body('en')}
      <Checkbox label={t('show_to_all')} isChecked={is_enabled} onChange={setIsEnabled} />
      {announcement !== null && <Intro most="68ch">{t('unread_again')}</Intro>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Stack>
  )
}
