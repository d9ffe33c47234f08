import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import type { Db } from '../src/postgres/db.ts'

/** How many rows of a table, and entries of its indexes, a query touches, rather than returns. */
export async function countRead(db: Db, table: string, read: (tx: Db) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select (pg_stat_get_xact_tuples_returned(of) + pg_stat_get_xact_tuples_fetched(of) + (
            select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = of))::bigint as count
        from (select ${table}::regclass::oid as of) given`.execute(tx)
      return rows[0]!.count
    }
    const before = await count()
    await read(tx)
    return (await count()) - before
  })
}

export interface PlanNode {
  'Join Type'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

/** Rows that a plan node returned or rejected, over all its loops, including joins and functions. */
function countRows(node: PlanNode): number {
  const once = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return once * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, each) => sum + countRows(each), 0)
}

/** The executed plans of all statements of a query. */
export async function listPlans(db: Db, read: (db: Db) => Promise<unknown>): Promise<PlanNode[]> {
  const statements: CompiledQuery[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }): RootOperationNode {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await read(db.withPlugin(plugin))
  const plans: PlanNode[] = []
  for (const { sql: text, parameters } of statements) {
    const explain = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)
    plans.push(rows[0]!['QUERY PLAN'][0]!.Plan)
  }
  return plans
}

/** How many rows the plans of all statements of a query process. */
export async function countHandled(db: Db, read: (db: Db) => Promise<unknown>): Promise<number> {
  return (await listPlans(db, read)).reduce((sum, plan) => sum + countRows(plan), 0)
}
