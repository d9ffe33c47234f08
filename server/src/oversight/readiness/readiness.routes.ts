import * as contract from '@megalot/contract'
import type { Config } from '../../config.ts'
import type { Serve } from '../../http/serve.ts'
import type { Db } from '../../postgres/db.ts'
import { runChecks } from './checks.ts'

export function serveReadiness(serve: Serve, db: Db, config: Config): void {
  serve(contract.listReadiness, () => runChecks(db, config))
}
