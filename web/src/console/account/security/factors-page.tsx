import type { Factor, FactorKind } from '@megalot/contract'
import IconDeviceMobile from '~icons/device-mobile'
import IconFingerprint from '~icons/fingerprint'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Fact, Facts } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { EnrolDialog } from './enrol-dialog.tsx'
import { RemoveDialog, RenameDialog, RenewCodesDialog } from './factor-dialogs.tsx'
import { factorsQuery, sessionStateQuery } from '../../../shared/second-factor/queries.ts'
import classes from '../../../shared/second-factor/second-factor.module.css'

const FEW_CODES = 3
const icons = { passkey: IconFingerprint, totp: IconDeviceMobile } as const

/** The user's second factors and recovery codes. */
export function FactorsPage() {
  const t = useTranslations('factor.page')
  const query = useQuery(factorsQuery)
  const session = useQuery(sessionStateQuery)
  const [added, setAdded] = useState<FactorKind | null>(null)
  return (
    <>
      <PageTitle title={t('title')} />
      <p className={classes.text}>{t('text')}</p>
      {session.data?.must_enrol && <Alert kind="warn">{t('must_enrol')}</Alert>}
      <QueryView query={query} skeleton={<Skeleton count={2} height={150} />}>
        {({ factors, recovery_codes_left, is_totp_available }) => (
          <>
            <section className={classes.form} aria-labelledby="own-factors">
              <h2 id="own-factors" className={classes.heading}>
                {t('factors')}
              </h2>
              {factors.length === 0 ? (
                <EmptyNote title={t('none')}>
                  <p>{t('none_text')}</p>
                </EmptyNote>
              ) : (
                <FactorList factors={factors} />
              )}
              <div className={classes.buttons}>
                <Button onClick={() => setAdded('passkey')}>{t('add_passkey')}</Button>
                {is_totp_available && (
                  <Button variant={factors.length === 0 ? 'filled' : 'default'} onClick={() => setAdded('totp')}>
                    {t('add_totp')}
                  </Button>
                )}
              </div>
              {!is_totp_available && <p className={classes.text}>{t('no_totp')}</p>}
            </section>
            {factors.length > 0 && <Codes left={recovery_codes_left} />}
            <EnrolDialog kind={added} onClose={() => setAdded(null)} />
          </>
        )}
      </QueryView>
    </>
  )
}

type Change = { factor: Factor; kind: 'rename' | 'remove' }

function FactorList({ factors }: { factors: readonly Factor[] }) {
  const t = useTranslations('factor.page')
  const language = useLocale()
  const [change, setChange] = useState<Change | null>(null)
  const close = (): void => setChange(null)
  return (
    <>
      <ul className={classes.list}>
        {factors.map((factor) => {
          const Icon = icons[factor.kind]
          const { factor_id, name, kind, created_at, last_used_at } = factor
          return (
            <li key={factor_id} className={classes.card}>
              <h3 className={classes.name}>
                <Icon size={20} stroke={1.75} aria-hidden="true" />
                {name}
              </h3>
              <p>{t(`kind.${kind}`)}</p>
              <Facts inLines>
                <Fact label={t('created_at')}>{formatInstant(created_at, language, 'dayAndTime')}</Fact>
                <Fact label={t('last_used_at')}>
                  {last_used_at === null ? t('never') : formatInstant(last_used_at, language, 'dayAndTime')}
                </Fact>
              </Facts>
              <div className={classes.buttons}>
                <Button variant="default" size="sm" onClick={() => setChange({ factor, kind: 'rename' })}>
                  {t('rename')}
                </Button>
                <Button variant="default" tone="bad" size="sm" onClick={() => setChange({ factor, kind: 'remove' })}>
                  {t('remove')}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
      <RenameDialog factor={change?.kind === 'rename' ? change.factor : null} onClose={close} />
      <RemoveDialog
        factor={change?.kind === 'remove' ? change.factor : null}
        isLast={factors.length === 1}
        onClose={close}
      />
    </>
  )
}

function Codes({ left }: { left: number }) {
  const t = useTranslations('factor.codes')
  const [isRenewing, setIsRenewing] = useState(false)
  return (
    <section className={classes.form} aria-labelledby="recovery-codes">
      <h2 id="recovery-codes" className={classes.heading}>
        {t('title')}
      </h2>
      <p className={classes.text}>{t('text')}</p>
      {left < FEW_CODES && <Alert kind="warn">{t('few')}</Alert>}
      <p>{t('left', { count: left })}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setIsRenewing(true)}>
          {t('renew')}
        </Button>
      </div>
      <RenewCodesDialog isOpen={isRenewing} onClose={() => setIsRenewing(false)} />
    </section>
  )
}
