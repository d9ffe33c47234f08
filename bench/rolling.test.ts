// An earlier commit is usable as the older version only where its databases can go on with this one.

import { expect, test } from 'vitest'
import { findForeignMigrations } from './rolling/older-version.ts'

test('an older version may lack migrations, but none of its own may be gone or rewritten', () => {
  const newer = { '0001-a.sql': 'a', '0002-b.sql': 'b', '0003-c.sql': 'c' }
  expect(findForeignMigrations({ '0001-a.sql': 'a', '0002-b.sql': 'b' }, newer)).toEqual([])
  expect(findForeignMigrations({ '0001-a.sql': 'x', '0002-b.sql': 'b', '0004-d.sql': 'd' }, newer)).toEqual([
    '0001-a.sql',
    '0004-d.sql',
  ])
})
