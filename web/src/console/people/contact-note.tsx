import type { ContactNote, PersonProfile } from '@megalot/contract'
import { CONTACT_NOTE_LENGTH, CONTACT_TAG_FORM, LINE_ID_FORM, MAX_CONTACT_TAGS } from '@megalot/contract/browser'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../lib/api/use-change.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Facts, Heading, Row, Stack } from '../../ui/layout.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { PHONE_FORM } from './contact-section.tsx'
import classes from './people.module.css'
import { sendContactNote } from './queries.ts'

interface ContactNoteProps {
  profile: PersonProfile
  note: ContactNote
  mayChange: boolean
}

/** What uplines keep about a user: how to reach it, and what to remember. */
export function ContactNoteFacts({ profile, note, mayChange }: ContactNoteProps) {
  const t = useTranslations('people.note')
  const [isOpen, setIsOpen] = useState(false)
  const { phone, line_id, tags } = note
  return (
    <>
      <Row gap={8} align="center" className={classes.noteHead}>
        <Heading>{t('title')}</Heading>
        {mayChange && (
          <Button variant="default" size="sm" onClick={() => setIsOpen(true)}>
            {t('change')}
          </Button>
        )}
      </Row>
      <Facts
        facts={[
          [t('phone'), phone === null ? '–' : <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>],
          [
            t('line_id'),
            line_id === null ? '–' : <a href={`https://line.me/R/ti/p/~${encodeURIComponent(line_id)}`}>{line_id}</a>,
          ],
          [t('tags'), tags.length === 0 ? '–' : <Tags tags={tags} />],
          [t('note'), note.note === '' ? '–' : <span className={classes.note}>{note.note}</span>],
        ]}
      />
      <DialogSheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('form_title', { name: profile.username })}
        dismissible="explicitly"
      >
        <NoteForm user_id={profile.user_id} note={note} onDone={() => setIsOpen(false)} />
      </DialogSheet>
    </>
  )
}

/** Tags, each a link to everybody who has it. */
function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <Row as="span" gap={8}>
      {tags.map((tag) => (
        <Link key={tag} to="/people" search={{ tag }} className={classes.tag}>
          {tag}
        </Link>
      ))}
    </Row>
  )
}

const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

function NoteForm({ user_id, note, onDone }: { user_id: number; note: ContactNote; onDone: () => void }) {
  const t = useTranslations('people.note')
  const ofContact = useTranslations('people.contact')
  const { isBusy, failure, run } = useChange(sendContactNote)
  const fields = useForm({
    initial: {
      phone: note.phone ?? '',
      line_id: note.line_id ?? '',
      tags: note.tags.join(', '),
      note: note.note,
    },
    check: ({ phone, line_id, tags }) => ({
      phone: phone.trim() === '' || PHONE_FORM.test(phone.trim()) ? null : ofContact('problem.phone'),
      line_id: line_id.trim() === '' || LINE_ID_FORM.test(line_id.trim()) ? null : ofContact('problem.line_id'),
      tags:
        tagsOf(tags).length > MAX_CONTACT_TAGS || tagsOf(tags).some((tag) => !CONTACT_TAG_FORM.test(tag))
          ? t('problem_tags', { most: String(MAX_CONTACT_TAGS) })
          : null,
      note: null,
    }),
    send: async (typed) => {
      const [phone, line_id] = [typed.phone.trim(), typed.line_id.trim()]
      const body = {
        ...(phone === '' ? {} : { phone }),
        ...(line_id === '' ? {} : { line_id }),
        tags: tagsOf(typed.tags),
        note: typed.note.trim(),
      }
      if (!(await run({ user_id, body }))) return
      showToast('good', t('saved'))
      onDone()
    },
  })
  return (
    <Stack noValidate as="form" gap={12} onSubmit={fields.submit}>
      <p className={classes.dim}>{t('hint')}</p>
      <TextInput {...fields.propsOf('phone')} type="tel" label={t('phone')} maxLength={20} autoComplete="off" />
      <TextInput
        {...fields.propsOf('line_id')}
        label={t('line_id')}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={41}
        autoComplete="off"
      />
      <TextInput
        {...fields.propsOf('tags')}
        label={t('tags')}
        description={t('tags_hint')}
        maxLength={250}
        autoComplete="off"
      />
      <TextInput {...fields.propsOf('note')} label={t('note')} maxLength={CONTACT_NOTE_LENGTH} autoComplete="off" />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </Stack>
  )
}
