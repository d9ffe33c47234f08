import type { ProofLevel } from '@megalot/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'
import { takeEarlyCaptcha } from './captcha-picture.ts'

/** An answer lives three minutes on the server: begin anew shortly before. */
const CAPTCHA_LIFE_MS = 170_000

/** Longer than this a form does not wait for its picture: the server then says what is missing, and another one is asked for. */
const PICTURE_WAIT_MS = 5_000

export interface Captcha {
  requestId: string
  /** The picture of this id that was fetched before the form was there; null: it is to be fetched. */
  earlyPicture: HTMLImageElement | null
  /** The solved work that stands for the picture; null: there is none. */
  proof: string | null
  state: 'picture' | 'working' | 'proven' | 'failed'
  /** Another picture, in place of whatever there is. */
  renew: () => void
  /** Lets the device work instead. @returns what proves it, or null where it could not be done */
  prove: (level?: ProofLevel) => Promise<ProofAnswer | null>
  /** Lets it work for a server that asked for more with its refusal. @returns null also where the refusal is another one */
  proveFor: (error: unknown) => Promise<ProofAnswer | null>
}

export interface ProofAnswer {
  request_id: string
  captcha_proof: string
}

/** The captcha of one form. */
export function useCaptcha(): Captcha {
  const [early] = useState(takeEarlyCaptcha)
  const [requestId, setRequestId] = useState(() => early?.request_id ?? randomUuid())
  const [proof, setProof] = useState<string | null>(null)
  const [state, setState] = useState<Captcha['state']>('picture')

  const renew = (): void => {
    setRequestId(randomUuid())
    setProof(null)
    setState('picture')
  }

  const prove = async (level: ProofLevel = 1): Promise<ProofAnswer | null> => {
    const request_id = randomUuid()
    setRequestId(request_id)
    setProof(null)
    setState('working')
    try {
      // Only now: most people see the picture.
      const { solveProof } = await import('./captcha-proof.ts')
      const captcha_proof = await solveProof(request_id, level)
      setProof(captcha_proof)
      setState('proven')
      return { request_id, captcha_proof }
    } catch {
      setState('failed')
      return null
    }
  }

  const proveFor = async (error: unknown): Promise<ProofAnswer | null> => {
    const { code, details } = toRefusal(error)
    return code === 'log_in_paused' ? prove(Number(details['proof_level']) as ProofLevel) : null
  }
  const earlyPicture = early?.request_id === requestId ? early.picture : null
  return { requestId, earlyPicture, proof, state, renew, prove, proveFor }
}

/** Renews the captcha before the server deletes it. @param renew shows another picture and clears what was typed */
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
