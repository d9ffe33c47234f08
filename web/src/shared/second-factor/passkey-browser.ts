// The browser's part of passkeys; loaded when somebody uses one.

import type { NewPasskey, PasskeyAssertion, PasskeyCreation, PasskeyRequest } from '@megalot/contract'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { PasskeyNotUsed } from './passkey-not-used.ts'

/** @throws PasskeyNotUsed */
export async function makePasskey(creation: PasskeyCreation): Promise<NewPasskey> {
  try {
    const optionsJSON = creation as PublicKeyCredentialCreationOptionsJSON
    return (await startRegistration({ optionsJSON })) as unknown as NewPasskey
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new PasskeyNotUsed(isKnown ? 'known' : 'refused')
  }
}

/** @throws PasskeyNotUsed */
export async function askForPasskey(request: PasskeyRequest): Promise<PasskeyAssertion> {
  try {
    const optionsJSON = request as PublicKeyCredentialRequestOptionsJSON
    return (await startAuthentication({ optionsJSON })) as unknown as PasskeyAssertion
  } catch {
    throw new PasskeyNotUsed('refused')
  }
}
