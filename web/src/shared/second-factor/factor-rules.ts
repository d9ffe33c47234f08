// The forms of second factors; the contract says the same of the calls.

export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code.trim())
}

/** 28 letters and digits; hyphens, spaces and case do not matter. */
export function isRecoveryCode(code: string): boolean {
  return /^[A-Z2-7]{28}$/i.test(code.replaceAll(/[ -]/g, ''))
}
