// `npm run schema`: writes `server/schema.sql` from the migrations, on a database of its own.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { dumpSchema, schemaFile } from './schema-dump.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'megalot-schema-'))
const postgres = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'] })
try {
  await migrate(postgres.url)
  await writeFile(schemaFile, await dumpSchema(postgres.url))
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
