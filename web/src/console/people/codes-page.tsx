import type { AgentCode } from '@megalot/contract'
import IconCopy from '~icons/copy'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { QrMark } from '../../shared/tickets/share/qr-mark.tsx'
import { ReasonForm } from '../../ui/reason-form.tsx'
import { showToast } from '../../lib/feedback/toast.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { useChange } from '../../lib/api/use-change.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Card, Fact, Facts, Grid, Row } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../ui/query-view.tsx'
import { permissionsOf } from '../menu.ts'
import { ContactSection } from './contact-section.tsx'
import { NewCodeForm } from './new-code-form.tsx'
import classes from './people.module.css'
import { codesQuery, sendCodeSwitch } from './queries.ts'

/** The codes with which members register below the caller: link, QR code, and who has joined by each. */
export function CodesPage() {
  const t = useTranslations('people.codes')
  const mayChange = permissionsOf(useUser()).has('people.do')
  const query = useQuery(codesQuery(null))
  const [isMaking, setIsMaking] = useState(false)
  const [switched, setSwitched] = useState<AgentCode | null>(null)
  return (
    <>
      <PageTitle title={t('title')}>
        {mayChange && <Button onClick={() => setIsMaking(true)}>{t('make')}</Button>}
      </PageTitle>
      <ContactSection mayChange={mayChange} />
      <QueryView query={query} skeleton={<Skeleton count={3} height={180} />}>
        {(codes) =>
          codes.length === 0 ? (
            <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
          ) : (
            <Grid as="ul" least={340} gap={12}>
              {codes.map((code) => (
                <Card key={code.code} as="li" gap={12} pad={[14, 16, 16]}>
                  <Code code={code} {...(mayChange ? { onSwitch: () => setSwitched(code) } : {})} />
                </Card>
              ))}
            </Grid>
          )
        }
      </QueryView>
      <DialogSheet isOpen={isMaking} onClose={() => setIsMaking(false)} title={t('make')} dismissible="explicitly">
        <NewCodeForm onDone={() => setIsMaking(false)} />
      </DialogSheet>
      <DialogSheet
        isOpen={switched !== null}
        onClose={() => setSwitched(null)}
        title={t(switched?.is_active === false ? 'switch_on' : 'switch_off')}
      >
        {switched !== null && <SwitchForm code={switched} onDone={() => setSwitched(null)} />}
      </DialogSheet>
    </>
  )
}

function Code({ code, onSwitch }: { code: AgentCode; onSwitch?: () => void }) {
  const t = useTranslations('people.codes')
  const language = useLocale()
  const link = location.origin + code.link
  const formatPackages = (packages: readonly unknown[] | null): string =>
    packages === null ? t('all_packages') : t('package_count', { count: packages.length })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link)
      showToast('good', t('copied'))
    } catch {
      showToast('bad', t('not_copied'))
    }
  }
  return (
    <>
      <Row gap={16} align="start" className={classes.handover}>
        <Facts>
          <Fact label={t('code')} className={classes.code}>
            {code.code}
          </Fact>
          <Fact label={t('state')} className={code.is_active ? classes.done : classes.refused}>
            {t(code.is_active ? 'on' : 'off')}
          </Fact>
          <Fact label={t('joined')}>
            <Link to="/people" search={{ agent_code: code.code }}>
              {t('joined_count', { count: code.member_count })}
            </Link>
          </Fact>
          <Fact label={t('opening_credit')}>
            {code.opening_credit_satang === null ? '–' : formatBaht(code.opening_credit_satang)}
          </Fact>
          <Fact label={t('per_day')}>
            {t('per_day_count', { count: code.registrations_today, most: code.registrations_per_day })}
          </Fact>
          <Fact label={t('packages')}>{code.packages === undefined ? '–' : formatPackages(code.packages)}</Fact>
          <Fact label={t('email')}>{t(code.is_email_optional ? 'email_optional' : 'email_needed')}</Fact>
          <Fact label={t('created')}>{formatInstant(code.created_at, language, 'dayAndTime')}</Fact>
        </Facts>
        {code.is_active && (
          <div className={classes.qr}>
            <QrMark text={link} label={t('qr', { code: code.code })} />
          </div>
        )}
      </Row>
      {code.is_active && <p className={classes.dim}>{link}</p>}
      <Row gap={8} align="center" className={classes.buttons}>
        {code.is_active && (
          <Button size="sm" variant="default" icon={<IconCopy size={16} />} onClick={() => void copy()}>
            {t('copy')}
            <span className="visually-hidden"> {code.code}</span>
          </Button>
        )}
        {onSwitch !== undefined && (
          <Button size="sm" variant="subtle" onClick={onSwitch}>
            {t(code.is_active ? 'switch_off' : 'switch_on')}
            <span className="visually-hidden"> {code.code}</span>
          </Button>
        )}
      </Row>
    </>
  )
}

function SwitchForm({ code: { code, is_active }, onDone }: { code: AgentCode; onDone: () => void }) {
  const t = useTranslations('people.codes')
  const { isBusy, failure, run } = useChange(sendCodeSwitch)
  const send = async (reason: string): Promise<void> => {
    if (!(await run({ code, is_active: !is_active, reason }))) return
    showToast('good', t(is_active ? 'switched_off' : 'switched_on', { code }))
    onDone()
  }
  return (
    <>
      <p>{t(is_active ? 'off_hint' : 'on_hint', { code })}</p>
      <ReasonForm
        action={t(is_active ? 'switch_off' : 'switch_on')}
        isBusy={isBusy}
        failure={failure}
        onSend={(reason) => void send(reason)}
      />
    </>
  )
}
