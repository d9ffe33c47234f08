import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { currentLanguage } from '../../lib/i18n/language-store.ts'
import { readPushState, switchPushOff, switchPushOn } from '../../lib/user/push.ts'
import { useUser } from '../../lib/user/user-query.ts'

/** Whether this browser gets pushes, and how the member turns them on and off. */
export function usePush() {
  const t = useTranslations('push')
  const { user_id } = useUser()
  const [state, setState] = useState(() => readPushState(user_id))
  const { isBusy, run } = useSend(
    async (isOn: boolean) => (isOn ? switchPushOn(user_id, currentLanguage()) : switchPushOff()),
    () => showToast('bad', t('absent')),
  )
  const turn = async (isOn: boolean): Promise<void> => {
    const turned = await run(isOn)
    if (turned === null) return
    setState(turned.result)
    const { result } = turned
    if (!isOn || result === 'off' || result === 'unasked') return
    showToast(result === 'on' ? 'good' : 'bad', t(result))
  }
  return { state, isBusy, turn }
}
