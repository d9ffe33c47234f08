// Nodes of the previous version work on the schema of each migration after the first release.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findContractions, findMigrationSteps } from './migration-steps.mjs'

const refused: Record<string, string> = {
  'drop table notes': 'drops the table notes',
  'DROP TABLE IF EXISTS "notes" cascade': 'drops the table "notes"',
  'drop view public.totals': 'drops the view public.totals',
  'drop function place_batch(int)': 'drops the function place_batch',
  'alter table notes drop column body': 'drops a column',
  'alter table notes drop body': 'drops a column',
  'alter table if exists only notes add x int, drop column if exists body': 'drops a column',
  'alter table notes rename column body to text': 'renames',
  'alter table notes rename to remarks': 'renames',
  'alter table notes rename constraint a to b': 'renames',
  'alter function find_notes(int, int) rename to list_notes': 'renames',
  "alter type state rename value 'a' to 'b'": 'renames',
  'alter type pair alter attribute a type text': 'changes a type',
  'alter table notes set schema old': 'moves',
  'alter table notes alter column body type varchar(10)': 'changes the type',
  'alter table notes alter body set data type text using body::text': 'changes the type',
  'alter table notes alter column body set not null': 'refuses a null',
  'alter table notes alter body drop default': 'removes a default',
  'alter table notes add column author int not null': 'has no default',
  'alter table notes add author int not null references users': 'has no default',
  'alter table notes add constraint short check (length(body) < 9) not valid': 'adds a constraint',
  'alter table notes add unique (body)': 'adds a constraint',
  '-- widens: short\nalter table notes add constraint short check (true)': 'adds a constraint',
  'alter table notes enable row level security': 'hides rows',
  'create unique index concurrently on notes (body)': 'unique index',
  'create unique index notes_body on only notes (body)': 'unique index',
  'revoke insert on notes from megalot_app': 'takes a right away',
  'revoke all on function place_batch(int) from public': 'takes a right away',
  'truncate notes': 'empties',
  'do $$ begin alter table notes drop column body; end $$': 'drops a column',
  "do language plpgsql $x$ begin if true then execute 'drop table notes'; end if; end $x$": 'drops the table notes',
}

const accepted = [
  'create table notes (note_id int primary key, body text not null)',
  'alter table notes add column author int',
  'alter table notes add column author int not null default 0, add column at timestamptz',
  'alter table notes add column note_no bigint generated always as identity primary key',
  'alter table notes drop constraint short',
  'alter table notes alter column body drop not null',
  'alter table notes alter column body set default 0',
  'create index on notes (body)',
  'create or replace function f() returns int language sql as $$ select 1; drop table notes; $$',
  "comment on table notes is 'drop table notes; it''s old'",
  '-- drop table notes;\n/* drop table notes; */ select 1',
  'create table drafts (a int); alter table drafts add unique (a); create unique index on drafts (a); drop table drafts',
  'create function g() returns int language sql as $$ select 1 $$; revoke all on function g() from public',
  "insert into notes (body) values ('x'); grant select on notes to megalot_app",
  'drop index notes_body; drop trigger t on notes',
  '-- widens: short\nalter table notes drop constraint short; alter table notes add constraint short check (true)',
]

describe('a statement', () => {
  test.each(Object.entries(refused))('%s is refused', (sql, why) => {
    expect(findContractions(`select 1;\n${sql};`)).toEqual([expect.stringContaining(why)])
  })

  test.each(accepted)('%s is accepted', (sql) => {
    expect(findContractions(`${sql};`)).toEqual([])
  })
})

describe('a folder of migrations', () => {
  let folder = ''
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const release = (releases: Record<string, string>) => write('releases.json', JSON.stringify(releases))
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'megalot-steps-'))
    write('0001-a.sql', 'create table a (x int); create table b (x int);')
    write('0002-b.sql', 'drop table b;')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('may remove anything before the first release', () => {
    expect(findMigrationSteps(folder)).toEqual([])
    release({ '1.0.0': '0002-b.sql' })
    expect(findMigrationSteps(folder)).toEqual([])
  })

  test('may only add after it', () => {
    release({ '1.0.0': '0001-a.sql' })
    expect(findMigrationSteps(folder)).toEqual([
      expect.stringContaining('0002-b.sql drops the table b: wait for a release'),
    ])
  })

  test('may remove once the release that it waits for is out', () => {
    const dropA = 'drop table a;'
    write('0003-c.sql', `-- contract: 1.1.0\n${dropA}`)
    release({ '1.0.0': '0002-b.sql' })
    expect(findMigrationSteps(folder)).toEqual(['0003-c.sql waits for the release 1.1.0, which is not out'])
    release({ '1.0.0': '0002-b.sql', '1.1.0': '0003-c.sql' })
    expect(findMigrationSteps(folder)).toEqual(['0003-c.sql is part of 1.1.0, for which it has to wait'])
    release({ '1.0.0': '0002-b.sql', '1.1.0': '0002-b.sql' })
    expect(findMigrationSteps(folder)).toEqual([])
  })

  test('must name a release to wait for, and existing migrations', () => {
    write('0003-c.sql', '-- contract: 1.0.0\ncreate table c (x int);')
    release({ '1.0.0': '0002-b.sql', '1.1.0': '0009-z.sql' })
    expect(findMigrationSteps(folder)).toEqual([
      'releases.json: 0009-z.sql, the last of 1.1.0, is not there',
      '0003-c.sql takes nothing away: it is no contract migration',
    ])
  })
})
