import { useTranslations } from 'use-intl'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Intro } from '../../ui/layout.tsx'
import { usePush } from './use-push.ts'

/**
 * The one place where pushes to this browser are turned off. Hidden until the member has been asked beside a ticket
 * (`push-offer.tsx`).
 */
export function PushSwitch() {
  const t = useTranslations('push')
  const { state, isBusy, turn } = usePush()
  if (state === 'absent' || state === 'unasked') return null
  return (
    <section>
      <Checkbox
        label={t('switch')}
        isChecked={state === 'on'}
        isDisabled={isBusy || state === 'blocked'}
        onChange={(isOn) => void turn(isOn)}
      />
      <Intro most="68ch">{t(state === 'blocked' ? 'blocked' : 'switch_text')}</Intro>
    </section>
  )
}
