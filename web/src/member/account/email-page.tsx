import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { findEmailProblem } from '../../lib/forms/email-form.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Intro } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../ui/query-view.tsx'
import { PasswordInput, TextInput } from '../../ui/text-input.tsx'
import { emailQuery, saveEmail } from '../../shared/account/queries.ts'

/** The member's mail address: whether it is verified, and how it is changed. */
export function EmailPage() {
  const t = useTranslations('account.email')
  const query = useQuery(emailQuery)
  return (
    <>
      <PageTitle title={t('title')} />
      <Intro most="68ch">{t('text')}</Intro>
      <QueryView query={query} skeleton={<Skeleton count={2} height={90} />}>
        {({ email, unverified_email }) => (
          <>
            {email !== null && <Alert kind="good">{t('verified', { email })}</Alert>}
            {unverified_email !== null && (
              <Alert kind="warn" title={t('waits', { email: unverified_email })}>
                {t(email === null ? 'waits_hint' : 'waits_beside', { email: email ?? '' })}
              </Alert>
            )}
            {email === null && unverified_email === null && <Alert kind="plain">{t('none')}</Alert>}
            <EmailForm key={unverified_email} waiting={unverified_email} />
          </>
        )}
      </QueryView>
    </>
  )
}

/** @param waiting the address that waits for its link: sent once more it is mailed another one */
function EmailForm({ waiting }: { waiting: string | null }) {
  const t = useTranslations('account')
  const { isBusy, error, failure, run } = useSend(saveEmail)
  const fields = useForm({
    initial: { email: waiting ?? '', password: '' },
    check: ({ email, password }) =>
      inWords({ email: findEmailProblem(email), password: password === '' ? 'required' : null }, (problem) =>
        t(`email.problem.${problem}`),
      ),
    send: async ({ email, password }) => {
      if (!(await run({ email: email.trim(), password }))) return
      fields.reset({ password: '' })
      showToast('good', t('email.sent', { email: email.trim() }))
    },
  })
  const isPasswordWrong = error !== null && toRefusal(error).code === 'wrong_password'
  const password = fields.propsOf('password')
  const isSame = waiting !== null && fields.values.email.trim() === waiting
  return (
    <Card as="form" onSubmit={fields.submit} noValidate gap={16} pad={16} most={460} aria-label={t('email.title')}>
      {failure !== null && !isPasswordWrong && <Alert kind="bad">{failure}</Alert>}
      <TextInput
        {...fields.propsOf('email')}
        type="email"
        label={t('email.new')}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordInput
        {...password}
        error={password.error ?? (isPasswordWrong ? failure : null)}
        label={t('email.password')}
        autoComplete="current-password"
        toggleLabel={t('password.show')}
      />
      <Button type="submit" isBusy={isBusy}>
        {t(isSame ? 'email.send_again' : 'email.submit')}
      </Button>
    </Card>
  )
}
