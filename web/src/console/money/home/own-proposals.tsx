import type { Approval } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatSignedBaht } from '../../../lib/format/money.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Card, Heading, Hint } from '../../../ui/layout.tsx'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import classes from './home.module.css'
import { ownProposalsQuery, withdrawOwnProposal } from './queries.ts'

const nameOf = ({ figures: { username } }: Approval): string => (typeof username === 'string' ? username : '')
const satangOf = ({ after }: Approval): number => Number(after['amount_satang'] ?? 0)

/** What the agent has sent for approval and can still withdraw; nothing if nothing waits. */
export function OwnProposals() {
  const t = useTranslations('home.proposals')
  const language = useLocale()
  const { data: proposals = [] } = useQuery(ownProposalsQuery)
  const [withdrawn, setWithdrawn] = useState<Approval | null>(null)
  if (proposals.length === 0) return null
  return (
    <Card as="section" gap={4} pad={[12, 14]} aria-label={t('title')}>
      <Heading>{t('title')}</Heading>
      <ul className={classes.list}>
        {proposals.map((proposal) => (
          <li key={proposal.approval_id}>
            <span>
              {nameOf(proposal)} · {formatSignedBaht(satangOf(proposal))}{' '}
              <span className={classes.fact}>
                {t('until', { at: formatInstant(proposal.expires_at, language, 'dayAndTime') })}
              </span>
            </span>
            <Button
              size="sm"
              variant="default"
              aria-label={t('withdraw_of', { name: nameOf(proposal) })}
              onClick={() => setWithdrawn(proposal)}
            >
              {t('withdraw')}
            </Button>
          </li>
        ))}
      </ul>
      <Hint>{t('hint')}</Hint>
      <DialogSheet
        isOpen={withdrawn !== null}
        onClose={() => setWithdrawn(null)}
        title={withdrawn === null ? '' : t('withdraw_of', { name: nameOf(withdrawn) })}
      >
        {withdrawn !== null && <WithdrawForm proposal={withdrawn} onDone={() => setWithdrawn(null)} />}
      </DialogSheet>
    </Card>
  )
}

function WithdrawForm({ proposal, onDone }: { proposal: Approval; onDone: () => void }) {
  const t = useTranslations('home.proposals')
  const { isBusy, failure, run } = useChange(withdrawOwnProposal)
  const send = async (reason: string): Promise<void> => {
    if ((await run({ approval_id: proposal.approval_id, reason })) === null) return
    showToast('good', t('withdrawn'))
    onDone()
  }
  return (
    <ReasonForm action={t('withdraw')} isBusy={isBusy} failure={failure} onSend={(reason) => void send(reason)}>
      <p>{`${nameOf(proposal)} · ${formatSignedBaht(satangOf(proposal))} · ${proposal.reason}`}</p>
    </ReasonForm>
  )
}
