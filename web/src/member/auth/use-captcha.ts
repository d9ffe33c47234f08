import type { ProofLevel } from '@megalot/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'
import { takeEarlyCaptcha } from './captcha-picture.ts'

/** The server keeps an answer for three minutes. Renew it shortly before, in ms. */
const CAPTCHA_LIFE_MS = 170_000

/** Maximum wait of a form for its picture, in ms. After it, the server refuses and a new picture is requested. */
const PICTURE_WAIT_MS = 5_000

export interface Captcha {
  requestId: string
  /** The picture of this id that was fetched before the form was there; null: it is to be fetched. */
  earlyPicture: HTMLImageElement | null
  /** `picture`: to be read. The others are of the work that stands for it: under way, solved, or not to be had. */
  state: 'picture' | 'working' | 'proven' | 'failed'
  /** Whether work stands for the picture, solved or under way: nothing needs to be typed. */
  isByWork: boolean
  /** Another picture, in place of whatever there is. */
  renew: () => void
  /** Lets the device work instead. @returns what proves it, or null where it could not be done */
  prove: (level?: ProofLevel) => Promise<ProofAnswer | null>
  /** The answer: the finished proof of work, or the typed characters. */
  answer: (captcha_txt: string) => Promise<CaptchaAnswer>
  /** Lets it work for a server that asked for more with its refusal. @returns null also where the refusal is another one */
  proveFor: (error: unknown) => Promise<ProofAnswer | null>
}

export interface ProofAnswer {
  request_id: string
  captcha_proof: string
}

export type CaptchaAnswer = ProofAnswer | { request_id: string; captcha_txt: string }

/** The captcha of one form. */
export function useCaptcha(): Captcha {
  const [early] = useState(takeEarlyCaptcha)
  const [requestId, setRequestId] = useState(() => early?.request_id ?? randomUuid())
  const [state, setState] = useState<Captcha['state']>('picture')
  /** The work of this captcha; null: there is none. */
  const work = useRef<Promise<ProofAnswer | null> | null>(null)
  /** Minimum difficulty of the next proof of work that a person requests. */
  const leastLevel = useRef<ProofLevel>(1)

  const renew = (): void => {
    work.current = null
    setRequestId(randomUuid())
    setState('picture')
  }

  const prove = (level: ProofLevel = leastLevel.current): Promise<ProofAnswer | null> => {
    const request_id = randomUuid()
    setRequestId(request_id)
    setState('working')
    // Only now: most people see the picture.
    const solved = import('./captcha-proof.ts').then(({ solveProof }) => solveProof(request_id, level))
    const begun: Promise<ProofAnswer | null> = solved.then(
      (captcha_proof) => ({ request_id, captcha_proof }),
      () => null,
    )
    work.current = begun
    void begun.then((answer) => {
      // The form may have gone back to a picture meanwhile.
      if (work.current === begun) setState(answer === null ? 'failed' : 'proven')
    })
    return begun
  }

  const answer = async (captcha_txt: string): Promise<CaptchaAnswer> =>
    (await work.current) ?? { request_id: requestId, captcha_txt }

  const proveFor = async (error: unknown): Promise<ProofAnswer | null> => {
    const { code, details } = toRefusal(error)
    const level = Number(details['proof_level']) as ProofLevel
    // It helps the office alone, and the page does not know whose name it is: nobody's device works before it is asked to.
    if (code === 'log_in_limit_reached') leastLevel.current = level
    return code === 'log_in_paused' ? prove(level) : null
  }
  const earlyPicture = early?.request_id === requestId ? early.picture : null
  const isByWork = state === 'working' || state === 'proven'
  return { requestId, earlyPicture, state, isByWork, renew, prove, answer, proveFor }
}

/** Renews the captcha before the server deletes it. @param renew shows another picture and clears the answer */
export function useCaptchaLife(requestId: string, renew: () => void): void {
  const renewIfSame = useEffectEvent((id: string) => {
    if (id === requestId) renew()
  })
  useEffect(() => {
    const timer = setTimeout(() => renewIfSame(requestId), CAPTCHA_LIFE_MS)
    return () => clearTimeout(timer)
  }, [requestId])
}

/** A program that fills the form faster than the picture arrives must not overtake it; one that never arrives holds nobody. */
export async function awaitPicture(picture: HTMLImageElement | null): Promise<void> {
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, PICTURE_WAIT_MS)
  })
  await Promise.race([picture?.decode().catch(() => undefined), limit])
}
