import type { AgentContact } from '@megalot/contract'
import { LINE_ID_FORM } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { useChange } from '../../lib/api/use-change.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Card, Heading, Row, Stack } from '../../ui/layout.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import classes from './people.module.css'
import { personQuery, rootQuery, sendContact } from './queries.ts'

/** How the caller's members reach it, and the form that changes it. */
export function ContactSection({ mayChange }: { mayChange: boolean }) {
  const t = useTranslations('people.contact')
  const { data: root_id } = useQuery(rootQuery)
  const { data: profile } = useQuery({ ...personQuery(root_id ?? 0), enabled: root_id !== undefined })
  const [isOpen, setIsOpen] = useState(false)
  if (profile === undefined) return null
  const { contact } = profile
  return (
    <Card as="section" gap={12} pad={[14, 16, 16]} aria-label={t('title')}>
      <Heading>{t('title')}</Heading>
      <p>
        {contact === null
          ? t('none')
          : [contact.name, contact.line_id && `LINE ${contact.line_id}`, contact.phone].filter(Boolean).join(' · ')}
      </p>
      {mayChange && (
        <Row gap={8} align="center" className={classes.buttons}>
          <Button variant="default" onClick={() => setIsOpen(true)}>
            {t('change')}
          </Button>
        </Row>
      )}
      <DialogSheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('title')} dismissible="explicitly">
        <ContactForm contact={contact} onDone={() => setIsOpen(false)} />
      </DialogSheet>
    </Card>
  )
}

export const PHONE_FORM = /^\+?[0-9][0-9 -]{4,18}$/

function ContactForm({ contact, onDone }: { contact: AgentContact | null; onDone: () => void }) {
  const t = useTranslations('people.contact')
  const { isBusy, failure, run } = useChange(sendContact)
  const fields = useForm({
    initial: { name: contact?.name ?? '', line_id: contact?.line_id ?? '', phone: contact?.phone ?? '' },
    check: ({ name, line_id, phone }) => ({
      name: name.trim() === '' ? t('problem.name') : null,
      line_id: line_id.trim() === '' || LINE_ID_FORM.test(line_id.trim()) ? null : t('problem.line_id'),
      phone: phone.trim() === '' || PHONE_FORM.test(phone.trim()) ? null : t('problem.phone'),
    }),
    send: async (typed) => {
      const [name, line_id, phone] = [typed.name.trim(), typed.line_id.trim(), typed.phone.trim()]
      const body = { name, ...(line_id === '' ? {} : { line_id }), ...(phone === '' ? {} : { phone }) }
      if (!(await run(body))) return
      showToast('good', t('saved'))
      onDone()
    },
  })
  return (
    <Stack noValidate as="form" gap={12} onSubmit={fields.submit}>
      <p className={classes.dim}>{t('hint')}</p>
      <TextInput {...fields.propsOf('name')} label={t('name')} maxLength={100} autoComplete="off" />
      <TextInput
        {...fields.propsOf('line_id')}
        label={t('line_id')}
        description={t('line_id_hint')}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={41}
        autoComplete="off"
      />
      <TextInput {...fields.propsOf('phone')} type="tel" label={t('phone')} maxLength={20} autoComplete="off" />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Stack>
  )
}
