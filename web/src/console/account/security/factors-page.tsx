import type { Factor, FactorKind } from '@megalot/contract'
import IconDeviceMobile from '~icons/device-mobile'
import IconFingerprint from '~icons/fingerprint'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Fact, Facts, Grid, Heading, Intro, Row, Stack } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { EnrolDialog } from './enrol-dialog.tsx'
import { RemoveDialog, RenameDialog, RenewCodesDialog } from './factor-dialogs.tsx'
import { factorsQuery, sessionStateQuery } from '../../../shared/second-factor/queries.ts'

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
      <Intro most="68ch">{t('text')}</Intro>
      {session.data?.must_enrol && <Alert kind="warn">{t('must_enrol')}</Alert>}
      <QueryView query={query} skeleton={<Skeleton count={2} height={150} />}>
        {({ factors, recovery_codes_left, is_totp_available }) => (
          <>
            <Stack as="section" gap={14} aria-labelledby="own-factors">
              <Heading id="own-factors">{t('factors')}</Heading>
              {factors.length === 0 ? (
                <EmptyNote title={t('none')}>
                  <p>{t('none_text')}</p>
                </EmptyNote>
              ) : (
                <FactorList factors={factors} />
              )}
              <Row gap={8}>
                <Button onClick={() => setAdded('passkey')}>{t('add_passkey')}</Button>
                {is_totp_available && (
                  <Button variant={factors.length === 0 ? 'filled' : 'default'} onClick={() => setAdded('totp')}>
                    {t('add_totp')}
                  </Button>
                )}
              </Row>
              {!is_totp_available && <Intro most="68ch">{t('no_totp')}</Intro>}
            </Stack>
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
      <Grid as="ul" least={340} gap={12}>
        {factors.map((factor) => {
          const Icon = icons[factor.kind]
          const { factor_id, name, kind, created_at, last_used_at } = factor
          return (
            <Card as="li" key={factor_id} gap={8} pad={[14, 16]}>
              <Row as="h3" nowrap gap={8} align="center" size="body" strong>
                <Icon size={20} stroke={1.75} aria-hidden="true" />
                {name}
              </Row>
              <p>{t(`kind.${kind}`)}</p>
              <Facts inLines>
                <Fact label={t('created_at')}>{formatInstant(created_at, language, 'dayAndTime')}</Fact>
                <Fact label={t('last_used_at')}>
                  {last_used_at === null ? t('never') : formatInstant(last_used_at, language, 'dayAndTime')}
                </Fact>
              </Facts>
              <Row gap={8}>
                <Button variant="default" size="sm" onClick={() => setChange({ factor, kind: 'rename' })}>
                  {t('rename')}
                </Button>
                <Button variant="default" tone="bad" size="sm" onClick={() => setChange({ factor, kind: 'remove' })}>
                  {t('remove')}
                </Button>
              </Row>
            </Card>
          )
        })}
      </Grid>
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
    <Stack as="section" gap={14} aria-labelledby="recovery-codes">
      <Heading id="recovery-codes">{t('title')}</Heading>
      <Intro most="68ch">{t('text')}</Intro>
      {left < FEW_CODES && <Alert kind="warn">{t('few')}</Alert>}
      <p>{t('left', { count: left })}</p>
      <Row gap={8}>
        <Button variant="default" onClick={() => setIsRenewing(true)}>
          {t('renew')}
        </Button>
      </Row>
      <RenewCodesDialog isOpen={isRenewing} onClose={() => setIsRenewing(false)} />
    </Stack>
  )
}
