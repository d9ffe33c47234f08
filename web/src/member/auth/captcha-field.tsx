import { TextInput } from '../../ui/text-input.tsx'
import type { TextInputProps } from '../../ui/text-input.tsx'
import IconRefresh from '~icons/refresh'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import classes from './captcha-field.module.css'
import { placePicture, requestPicture } from './captcha-picture.ts'
import type { Captcha } from './use-captcha.ts'

interface CaptchaFieldProps {
  captcha: Captcha
  /** Requests another picture and clears the answer. */
  onRenew: () => void
  pictureRef: RefObject<HTMLImageElement | null>
  inputProps: TextInputProps
}

/** The picture, a button for another one, the field for its four characters; and the way for those who cannot see it. */
export function CaptchaField({ captcha, onRenew, pictureRef, inputProps }: CaptchaFieldProps) {
  const t = useTranslations('auth')
  const { requestId, state, prove } = captcha
  const [failedId, setFailedId] = useState<string | null>(null)
  /** No picture comes, such as while many strangers log in: the device works instead, and where it cannot the field says so. */
  const replacePicture = (): void => {
    if (state === 'picture') void prove()
    else setFailedId(requestId)
  }
  if (captcha.isByWork)
    return (
      <div className={classes.proof}>
        <output>{t(state === 'proven' ? 'proof.proven' : 'proof.working')}</output>
        <button type="button" className={classes.other} onClick={onRenew}>
          {t('proof.back')}
        </button>
      </div>
    )
  return (
    <div>
      <TextInput
        {...inputProps}
        label={t('captcha')}
        description={t('captcha_hint')}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={4}
        inputClassName={classes.input}
        // A render prop of the field, not a component of its own.
        // oxlint-disable-next-line react/no-unstable-nested-components
        inputContainer={(input) => (
          <div className={classes.line}>
            <div className={classes.grow}>{input}</div>
            <div className={classes.picture}>
              {failedId === requestId && <span className={classes.failed}>{t('captcha_failed')}</span>}
              {failedId !== requestId && (
                <CaptchaPicture key={requestId} captcha={captcha} pictureRef={pictureRef} onError={replacePicture} />
              )}
            </div>
            <button type="button" className={classes.renew} aria-label={t('captcha_refresh')} onClick={onRenew}>
              <IconRefresh size={20} stroke={1.75} />
            </button>
          </div>
        )}
      />
      <button type="button" className={classes.other} onClick={() => void prove()}>
        {t(state === 'failed' ? 'proof.failed' : 'proof.other')}
      </button>
    </div>
  )
}

interface CaptchaPictureProps {
  captcha: Captcha
  pictureRef: RefObject<HTMLImageElement | null>
  onError: () => void
}

/** The picture of one id. One that the first script requested is the same element as in the prerendered frame. */
function CaptchaPicture({ captcha: { requestId, earlyPicture }, pictureRef, onError }: CaptchaPictureProps) {
  const alt = useTranslations('auth')('captcha_image')
  const slotRef = useRef<HTMLDivElement>(null)
  const reportError = useEffectEvent(onError)
  useLayoutEffect(() => {
    const slot = slotRef.current!
    const picture = slot.querySelector('img') ?? earlyPicture ?? requestPicture(requestId)
    placePicture(slot, picture, alt)
    pictureRef.current = picture
    void picture.decode().catch(() => reportError())
  }, [requestId, earlyPicture, alt, pictureRef])
  return <div ref={slotRef}>{import.meta.env.SSR && <img alt="" width={120} height={44} />}</div>
}
