export const listFactors = { name: 'listFactors', method: 'GET', path: '/mgluser/factors' } as const
export const startPasskey = { name: 'startPasskey', method: 'POST', path: '/mgluser/factors/passkey/start' } as const
export const enrolPasskey = { name: 'enrolPasskey', method: 'POST', path: '/mgluser/factors/passkey' } as const
export const startTotp = { name: 'startTotp', method: 'POST', path: '/mgluser/factors/totp/start' } as const
export const enrolTotp = { name: 'enrolTotp', method: 'POST', path: '/mgluser/factors/totp' } as const
export const renameFactor = { name: 'renameFactor', method: 'POST', path: '/mgluser/factors/:factor_id/name' } as const
export const removeFactor = { name: 'removeFactor', method: 'DELETE', path: '/mgluser/factors/:factor_id' } as const
export const renewRecoveryCodes = {
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/mgluser/factors/recovery_codes',
} as const
export const startPasskeyVerification = {
  name: 'startPasskeyVerification',
  method: 'POST',
  path: '/megalot/auth/factor/passkey/start',
} as const
export const verifyPasskey = { name: 'verifyPasskey', method: 'POST', path: '/megalot/auth/factor/passkey' } as const
export const verifyTotp = { name: 'verifyTotp', method: 'POST', path: '/megalot/auth/factor/totp' } as const
export const verifyRecoveryCode = {
  name: 'verifyRecoveryCode',
  method: 'POST',
  path: '/megalot/auth/factor/recovery_code',
} as const
