import { expect, test } from 'vitest'
import { findPasswordProblems } from './password-rules.ts'

test('old, new and confirmed are required; the new one has 4 to 100 characters; both are the same', () => {
  const right = { old_password: 'old1', new_password: 'new1', confirm_password: 'new1' }
  expect(Object.values(findPasswordProblems(right))).toEqual([null, null, null])
  expect(Object.values(findPasswordProblems({ old_password: '', new_password: '', confirm_password: '' }))).toEqual([
    'required',
    'required',
    'required',
  ])
  expect(findPasswordProblems({ ...right, new_password: 'new', confirm_password: 'new' }).new_password).toBe('length')
  expect(findPasswordProblems({ ...right, new_password: 'n'.repeat(101) }).new_password).toBe('length')
  expect(findPasswordProblems({ ...right, confirm_password: 'new2' }).confirm_password).toBe('mismatch')
})
