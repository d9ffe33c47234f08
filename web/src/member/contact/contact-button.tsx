import IconBrandLine from '~icons/brand-line'
import IconPhone from '~icons/phone'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import classes from './contact-button.module.css'
import { lineHref, phoneHref } from './contact-links.ts'
import { contactQuery } from './queries.ts'

/** Opens the ways to the member's agent; nothing where the agent has set none. */
export function ContactButton({ isWide = false }: { isWide?: boolean }) {
  const t = useTranslations('shell.contact')
  const { data: contact } = useQuery(contactQuery)
  const [isOpen, setIsOpen] = useState(false)
  if (contact === null || contact === undefined) return null
  const { name, line_id, phone } = contact
  return (
    <>
      <Button
        variant="default"
        size="sm"
        isWide={isWide}
        icon={<IconPhone size={18} />}
        onClick={() => setIsOpen(true)}
      >
        {t('open')}
      </Button>
      <DialogSheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={t('open')}>
        <div className={classes.ways}>
          <p className={classes.name}>{name}</p>
          {line_id !== null && (
            <a className={classes.way} href={lineHref(line_id)} target="_blank" rel="noreferrer">
              <IconBrandLine size={22} stroke={1.6} aria-hidden="true" />
              {t('line', { line_id })}
            </a>
          )}
          {phone !== null && (
            <a className={classes.way} href={phoneHref(phone)}>
              <IconPhone size={22} stroke={1.6} aria-hidden="true" />
              {t('phone', { phone })}
            </a>
          )}
        </div>
      </DialogSheet>
    </>
  )
}
