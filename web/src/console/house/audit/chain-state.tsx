import type { Envelope, Rows } from '@megalot/contract'
import IconAlertTriangle from '~icons/alert-triangle'
import IconCopy from '~icons/copy'
import IconLink from '~icons/link'
import { useLocale, useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'

/** The end of the log's hash chain, and what its last verification found. */
export function ChainState({ head, last_check }: Pick<Envelope<Rows['listAudit']>, 'head' | 'last_check'>) {
  const t = useTranslations('audit.chain')
  const language = useLocale()
  const time = last_check === null ? '' : formatInstant(last_check.checked_at, language, 'dayAndTime')
  if (last_check !== null && last_check.problem_count > 0)
    return (
      <Alert kind="bad" title={t('title')}>
        {t('broken', { time, count: last_check.problem_count })}
      </Alert>
    )
  const copy = (): void =>
    void navigator.clipboard.writeText(`${head.chain_no}:${head.hash}`).then(() => showToast('good', t('copied')))
  const Icon = last_check === null ? IconAlertTriangle : IconLink
  return (
    <Row
      as="section"
      framed
      gap={[6, 16]}
      pad={[10, 14]}
      align="center"
      aria-label={t('title')}
      data-testid="chain-state"
    >
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <p>{last_check === null ? t('unchecked') : t('intact', { time, rows: last_check.row_count })}</p>
      <p title={head.hash}>{t('head', { chain_no: String(head.chain_no), hash: `${head.hash.slice(0, 12)}…` })}</p>
      <Button size="sm" variant="default" icon={<IconCopy size={18} stroke={1.75} aria-hidden="true" />} onClick={copy}>
        {t('copy')}
      </Button>
    </Row>
  )
}
