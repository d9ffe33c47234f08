import type { ReadinessCheck } from '@megalot/contract'
import { firstRunChecks } from '@megalot/contract/browser'
import IconCircle from '~icons/circle'
import IconCircleCheck from '~icons/circle-check'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../../lib/user/user-query.ts'
import { Stack, Text } from '../../../ui/layout.tsx'
import { permissionsOf } from '../../menu.ts'
import { InviteOwner } from './invite-owner.tsx'
import classes from './setup.module.css'
import { TestMail } from './test-mail.tsx'

type Step = (typeof firstRunChecks)[number]

/** Steps that keep the list on the page, because a house cannot work without them. */
const needed: readonly string[] = ['second_owner', 'open_market', 'first_agent'] satisfies Step[]

export const isFirstRun = (checks: readonly ReadinessCheck[]): boolean =>
  checks.some(({ check, state }) => needed.includes(check) && state !== 'ok')

export const isStepOfFirstRun = ({ check }: ReadinessCheck): boolean =>
  (firstRunChecks as readonly string[]).includes(check)

/** The steps of a house's first run, each done when its check is ok. */
export function FirstRun({ checks, onChanged }: { checks: readonly ReadinessCheck[]; onChanged: () => void }) {
  const t = useTranslations('setup.steps')
  const may = permissionsOf(useUser())
  const actions: Readonly<Record<Step, ReactNode>> = {
    owners_factors: <Link to={'/account/security'}>{t('to_security')}</Link>,
    mail: may.has('staff.do') && <TestMail />,
    second_owner: may.has('staff.do') && <InviteOwner onMade={onChanged} />,
    open_market: may.has('periods.do') && may.has('risk.do') && <Link to={'/numbers/open'}>{t('to_markets')}</Link>,
    first_agent: may.has('people.do') && <Link to={'/people/new'}>{t('to_agent')}</Link>,
  }
  return (
    <section aria-labelledby="first-run">
      <Text id="first-run" as="h2" size="lead" strong>
        {t('title')}
      </Text>
      <p className={classes.text}>{t('text')}</p>
      <Stack as="ol" gap={8} above={8} below={20} most={820} data-testid="first-run">
        {firstRunChecks.map((step) => {
          const isDone = checks.find(({ check }) => check === step)?.state === 'ok'
          const Icon = isDone ? IconCircleCheck : IconCircle
          return (
            <li key={step} className={classes.step} data-step={step} data-done={isDone}>
              <Icon aria-hidden="true" size={20} />
              <Text as="h3" strong>
                {t(step)}{' '}
                <Text as="span" size="small" tone="dim" strong={false}>
                  {t(isDone ? 'done' : 'to_do')}
                </Text>
              </Text>
              {(!isDone || step === 'mail') && (
                <Stack gap={12} above={4} className={classes.body}>
                  {actions[step]}
                </Stack>
              )}
            </li>
          )
        })}
      </Stack>
    </section>
  )
}
