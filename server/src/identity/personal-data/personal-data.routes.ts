import { Readable } from 'node:stream'
import * as contract from '@megalot/contract'
import type { FastifyReply } from 'fastify'
import { carryOut } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import type { Serve } from '../../http/serve.ts'
import { exportOwnData, exportPersonData, writePersonalData } from './export.service.ts'

export function servePersonalData(serve: Serve, db: Db): void {
  const send = async (reply: FastifyReply, user_id: number): Promise<null> => {
    reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="personal-data-${user_id}.json"`)
    await reply.send(Readable.from(writePersonalData(db, user_id)))
    return null
  }
  serve(contract.exportOwnData, async ({ caller, reply }) => {
    const user_id = await carryOut(db, exportOwnData, { caller, input: {} })
    return send(reply, user_id!)
  })
  serve(contract.exportPersonData, async ({ caller, params, body: { reason }, reply }) => {
    const user_id = await carryOut(db, exportPersonData, {
      caller,
      input: { user_id: Number(params.user_id) },
      reason,
    })
    return send(reply, user_id!)
  })
}
