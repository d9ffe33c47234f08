import { Button } from '../../../ui/button.tsx'
import type { RateChange } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import type { SlipLine } from '@megalot/rules'
import IconArrowDown from '~icons/arrow-down'
import IconArrowUp from '~icons/arrow-up'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatBaht, formatRate } from '../../../lib/format/money.ts'
import { Alert } from '../../../ui/alert.tsx'
import tables from '../../../ui/table.module.css'
import type { NotPlaced } from '../ticket/kept-answers.ts'
import classes from './refused-ticket.module.css'

interface RefusedTicketProps {
  refused: Extract<NotPlaced, { kind: 'refused' }>
  onSendAtRates: (rates: readonly RateChange[]) => void
  onRemoveClosed: (lines: readonly SlipLine[]) => void
}

/** Why a ticket was refused, in the server's own words, and what can be done about it at once. */
export function RefusedTicket({ refused, onSendAtRates, onRemoveClosed }: RefusedTicketProps) {
  const t = useTranslations('bet.submission')
  const { message, remedy = null } = refused
  return (
    <>
      <Alert kind="bad" title={t('refused.failed')}>
        <p>{message}</p>
        {remedy?.kind === 'limit' && (
          <p>
            {t(`limit.${remedy.limit.kind}`, {
              span: remedy.limit.span,
              amount: formatBaht(remedy.limit.amount_satang),
              left: formatBaht(remedy.limit.left_satang),
            })}
          </p>
        )}
        <p>{t(remedy?.kind === 'limit' && remedy.limit.left_satang === 0 ? 'refused.kept' : 'refused.money')}</p>
      </Alert>
      {remedy?.kind === 'rates' && (
        <>
          <RateTable rates={remedy.rates} />
          <Button isWide onClick={() => onSendAtRates(remedy.rates)}>
            {t('rates.send')}
          </Button>
        </>
      )}
      {remedy?.kind === 'numbers' && (
        <>
          <ClosedNumbers lines={remedy.lines} />
          <Button isWide onClick={() => onRemoveClosed(remedy.lines)}>
            {t('numbers.remove', { count: remedy.lines.length })}
          </Button>
        </>
      )}
    </>
  )
}

function useBetTypeName(): (line: { bet_type: SlipLine['bet_type'] }) => string {
  const language = useLocale()
  return ({ bet_type }) => localizedName(betTypeByCode[bet_type], language)
}

/** The rate the page showed, and the rate in force. */
function RateTable({ rates }: { rates: readonly RateChange[] }) {
  const t = useTranslations('bet.submission.rates')
  const nameOf = useBetTypeName()
  return (
    <table className={tables.table} data-testid="rate-changes">
      <caption className={classes.caption}>{t('caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('type')}</th>
          <th scope="col" className={tables.figure}>
            {t('before')}
          </th>
          <th scope="col" className={tables.figure}>
            {t('now')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rates.map((change) => {
          const isLower = change.rate < change.rate_seen
          const Icon = isLower ? IconArrowDown : IconArrowUp
          return (
            // A package that changed twice since may name one bet type at two rates.
            <tr key={`${change.bet_type} ${change.rate_seen}`}>
              <th scope="row">{nameOf(change)}</th>
              <td className={tables.figure}>{formatRate(change.rate_seen)}</td>
              <td className={tables.figure}>
                <span className={classes.rate} data-lower={isLower || undefined}>
                  <Icon size={16} stroke={2} aria-hidden="true" />
                  <span className="visually-hidden">{t(isLower ? 'lower' : 'higher')}</span>
                  {formatRate(change.rate)}
                </span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function ClosedNumbers({ lines }: { lines: readonly SlipLine[] }) {
  const t = useTranslations('bet.submission.numbers')
  const nameOf = useBetTypeName()
  return (
    <table className={tables.table} data-testid="closed-numbers">
      <caption className={classes.caption}>{t('caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('type')}</th>
          <th scope="col">{t('number')}</th>
          <th scope="col" className={tables.figure}>
            {t('bet')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          // The same number can stand on a ticket twice, and the list never changes.
          <tr key={index}>
            <th scope="row">{nameOf(line)}</th>
            <td>
              <strong>{line.number}</strong>
            </td>
            <td className={tables.figure}>{formatBaht(line.bet_satang)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
