import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { settleStepUp, useStepUp } from '../../../lib/session/step-up-store.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Intro, Stack } from '../../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { FactorChallenge } from '../../../shared/second-factor/factor-challenge.tsx'
import { sessionStateQuery } from '../../../shared/second-factor/queries.ts'

/** Asks for a second factor before a call that needs one of a short time ago; the call is then repeated by itself. */
export function StepUpDialog() {
  const t = useTranslations('factor.step_up')
  const isOpen = useStepUp((state) => state.isOpen)
  return (
    <DialogSheet isOpen={isOpen} onClose={() => settleStepUp(false)} title={t('title')} dismissible="explicitly">
      <StepUp />
    </DialogSheet>
  )
}

function StepUp() {
  const t = useTranslations('factor.step_up')
  const query = useQuery({ ...sessionStateQuery, staleTime: 0 })
  return (
    <QueryView query={query} skeleton={<Skeleton count={3} height={44} />}>
      {({ factor_kinds }) => (
        <Stack gap={14}>
          <Intro most="68ch">{t('text')}</Intro>
          <FactorChallenge kinds={factor_kinds} onVerified={() => settleStepUp(true)} />
        </Stack>
      )}
    </QueryView>
  )
}
