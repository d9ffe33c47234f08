import IconCopy from '~icons/copy'
import IconDownload from '~icons/download'
import IconPrinter from '~icons/printer'
import { useTranslations } from 'use-intl'
import { saveFile } from '../../../lib/device/save-file.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import classes from '../../../shared/second-factor/second-factor.module.css'

/** Recovery codes, which are shown once: to be copied, downloaded or printed before they are gone. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTranslations('factor.codes')
  const text = codes.join('\n')
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const
  return (
    <Stack gap={14} data-recovery-codes>
      <Alert kind="warn">{t('once')}</Alert>
      <ol className={classes.codes} aria-label={t('list')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Row gap={8}>
        <Button
          variant="default"
          icon={<IconCopy {...icon} />}
          onClick={() => void navigator.clipboard.writeText(text).then(() => showToast('good', t('copied')))}
        >
          {t('copy')}
        </Button>
        <Button
          variant="default"
          icon={<IconDownload {...icon} />}
          onClick={() => saveFile('megalot-recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))}
        >
          {t('download')}
        </Button>
        <Button variant="default" icon={<IconPrinter {...icon} />} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </Row>
      <Button isWide onClick={onKept}>
        {t('kept')}
      </Button>
    </Stack>
  )
}
