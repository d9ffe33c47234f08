import type { ColumnType } from 'kysely'

/** Written by the database, never by the application. */
export type Kept<T> = ColumnType<T, never, never>
