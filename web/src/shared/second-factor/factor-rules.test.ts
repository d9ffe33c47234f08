import { expect, test } from 'vitest'
import { isRecoveryCode, isTotpCode } from './factor-rules.ts'

test.each([
  ['123456', true],
  [' 123456 ', true],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
  ['', false],
])('the code %j of an app: %s', (code, expected) => expect(isTotpCode(code)).toBe(expected))

test.each([
  ['ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23', true],
  ['abcd efgh ijkl mnop qrst uvwx 2345', true],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ23', true],
  ['ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ2', false],
  ['ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ21', false],
  ['', false],
])('the recovery code %j: %s', (code, expected) => expect(isRecoveryCode(code)).toBe(expected))
