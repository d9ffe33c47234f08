import IconCopy from '~icons/copy'
import { useTranslations } from 'use-intl'
import { QrMark } from '../../shared/tickets/share/qr-mark.tsx'
import { showToast } from '../../lib/feedback/toast.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Row, Stack } from '../../ui/layout.tsx'
import classes from './people.module.css'

interface HandoverCardProps {
  username: string
  password: string
  /** Closes the card's container if it has no close button. */
  onNoted?: () => void
}

/** The data for a user's first log-in, to hand over. It cannot be shown again. */
export function HandoverCard({ username, password, onNoted }: HandoverCardProps) {
  const t = useTranslations('people.handover')
  const link = `${location.origin}/auth/login`
  const copy = async (): Promise<void> => {
    const lines = [`${t('username')}: ${username}`, `${t('password')}: ${password}`, link]
    try {
      await navigator.clipboard.writeText(lines.join('\n'))
      showToast('good', t('copied'))
    } catch {
      showToast('bad', t('not_copied'))
    }
  }
  return (
    <Card as="section" gap={12} pad={[14, 16, 16]} aria-label={t('title')} data-testid="handover">
      <Alert kind="warn">{t('once')}</Alert>
      <Stack as="dl" gap={12}>
        <div>
          <dt className={classes.dim}>{t('username')}</dt>
          <dd className={classes.secret} data-testid="handover-username">
            {username}
          </dd>
        </div>
        <div>
          <dt className={classes.dim}>{t('password')}</dt>
          <dd className={classes.secret} data-testid="handover-password" translate="no">
            {password}
          </dd>
        </div>
      </Stack>
      {/* Before the QR code, which would push them below the screen of a phone. */}
      <Row gap={8} align="center" className={classes.buttons}>
        <Button variant="default" icon={<IconCopy size={18} stroke={1.6} />} onClick={() => void copy()}>
          {t('copy')}
        </Button>
        {onNoted !== undefined && <Button onClick={onNoted}>{t('noted')}</Button>}
      </Row>
      <Row gap={16} align="start" className={classes.handover}>
        <Stack as="dl" gap={12}>
          <div>
            <dt className={classes.dim}>{t('link')}</dt>
            <dd>{link}</dd>
          </div>
        </Stack>
        <div className={classes.qr}>
          <QrMark text={link} label={t('qr')} />
        </div>
      </Row>
      <p className={classes.dim}>{t('must_change')}</p>
    </Card>
  )
}
