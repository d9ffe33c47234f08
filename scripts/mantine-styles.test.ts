// Goal: a component without its style sheet is found, and no other component is.

import { expect, test } from 'vitest'
import { findMissingSheets, sheetsOf } from './mantine-styles.mjs'

const main = ['web/src/main.tsx', "const page = () => import('./features/lotto/lotto-page.tsx')"] as const
const other = ['web/src/app/other.tsx', "export const other = () => import('../features/lotto/part.tsx')"] as const
const field = "import { TextInput } from '@mantine/core'\n"
const sheets = "import '@mantine/core/styles/Input.css'\n"
const frame = [
  'web/src/app/shell/main-layout.tsx',
  "import '@mantine/core/styles/UnstyledButton.css'\nimport '@mantine/core/styles/Loader.css'\n",
] as const

function check(...files: (readonly [string, string])[]): string[] {
  return findMissingSheets(new Map([main, frame, ...files]))
}

test('a component needs its own style sheet and those of what it is made of', () => {
  expect(sheetsOf('Button')).toEqual(new Set(['Button', 'Loader', 'UnstyledButton']))
  expect(sheetsOf('TextInput')).toContain('Input')
})

test('a page with a field loads its style sheet, itself or through its imports', () => {
  const page = 'web/src/features/lotto/lotto-page.tsx'
  expect(check([page, field])).toEqual([expect.stringContaining('TextInput needs Input.css')])
  expect(check([page, sheets + field])).toEqual([])
  const form = ['web/src/features/lotto/form.tsx', field] as const
  expect(check([page, "import { Form } from './form.tsx'"], form)).toHaveLength(1)
  expect(check([page, `${sheets}import { Form } from './form.tsx'`], form)).toEqual([])
  // A type renders nothing.
  expect(check([page, "import type { TextInputProps } from '@mantine/core'"])).toEqual([])
})

test('a lazily loaded part may use style sheets that every page importing it has loaded', () => {
  const page = (text: string) => ['web/src/features/lotto/lotto-page.tsx', text] as const
  const fetching = "const part = () => import('./part.tsx')\n"
  const part = ['web/src/features/lotto/part.tsx', field] as const
  expect(check(page(fetching + sheets), part)).toEqual([])
  expect(check(page(fetching), part)).toHaveLength(1)
  const mainToo = ['web/src/main.tsx', `${main[1]}\nimport { other } from './app/other.tsx'`] as const
  // Also imported lazily from a file that has not loaded them.
  expect(check(mainToo, other, page(fetching + sheets), part)).toHaveLength(1)
})
