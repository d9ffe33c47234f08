import { useTranslations } from 'use-intl'
import { keepDeviceUse } from '../../lib/device/device-use.ts'
import type { DeviceUse } from '../../lib/device/device-use.ts'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import classes from './member-panel.module.css'

interface SharedDeviceDialogProps {
  isOpen: boolean
  onClose: () => void
  onAnswer: (use: DeviceUse) => void
}

/** Asks once a device, before a log-out that leaves something of the member. */
export function SharedDeviceDialog({ isOpen, onClose, onAnswer }: SharedDeviceDialogProps) {
  const t = useTranslations('shell.shared_device')
  const answer = (use: DeviceUse) => () => {
    keepDeviceUse(use)
    onAnswer(use)
  }
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('title')}>
      <div className={classes.group}>
        <p>{t('text')}</p>
        <Button isWide variant="default" onClick={answer('shared')}>
          {t('shared')}
        </Button>
        <Button isWide onClick={answer('own')}>
          {t('own')}
        </Button>
      </div>
    </DialogSheet>
  )
}
