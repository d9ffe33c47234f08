import * as contract from '@megalot/contract'
import type { Config } from '../../config.ts'
import type { Serve } from '../../http/serve.ts'
import type { SendMail } from '../../lib/mail.ts'
import type { Db } from '../../postgres/db.ts'
import { runChecks } from './checks.ts'
import { sendTestMail } from './test-mail.ts'

export function serveReadiness(serve: Serve, db: Db, config: Config, sendMail: SendMail): void {
  serve(contract.listReadiness, () => runChecks(db, config))
  serve(contract.sendTestMail, ({ body: { to } }) => sendTestMail(config, sendMail, to))
}
